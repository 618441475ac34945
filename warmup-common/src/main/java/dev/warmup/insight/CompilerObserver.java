package dev.warmup.insight;

import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

import dev.warmup.run.RunListener;
import dev.warmup.run.RunRecorder;

/**
 * Reports how many methods a run left to the compiler, if they are more than a handful.
 */
final class CompilerObserver implements RunListener {

	/** Compiled within milliseconds; even an idle service has some now and then. */
	static final int HANDFUL = 10;

	private final Supplier<Optional<Queue>> queue;

	CompilerObserver() {
		this(CompilerObserver::queue);
	}

	CompilerObserver(Supplier<Optional<Queue>> queue) {
		this.queue = queue;
	}

	@Override
	public Observation begin(String run, RunRecorder recorder) {
		return new Observation() {

			@Override
			public void ended() {
				CompilerObserver.this.queue.get()
					.filter((queue) -> queue.c1() + queue.c2() > HANDFUL)
					.ifPresent((queue) -> recorder.found("%d methods still wait for the compiler: %d for C1, %d for C2."
						.formatted(queue.c1() + queue.c2(), queue.c1(), queue.c2())));
			}

		};
	}

	/**
	 * Asks HotSpot, by its diagnostic command {@code Compiler.queue}. That stops all
	 * threads for a moment (a safepoint), so do not call it in a loop.
	 */
	static Optional<Queue> queue() {
		try {
			MBeanServer server = ManagementFactory.getPlatformMBeanServer();
			ObjectName commands = new ObjectName("com.sun.management:type=DiagnosticCommand");
			return (server.invoke(commands, "compilerQueue", new Object[0], new String[0]) instanceof String answer)
					? Queue.parse(answer) : Optional.empty();
		}
		catch (JMException | RuntimeException ex) { // not HotSpot, or commands are off
			return Optional.empty();
		}
	}

	/**
	 * How many methods wait to be compiled.
	 *
	 * @param c1 how many wait for the fast compiler
	 * @param c2 how many wait for the optimizing compiler
	 */
	record Queue(int c1, int c2) {

		/**
		 * Reads the command's answer: under each compiler's headline one method a line,
		 * or {@code Empty}, up to a blank line or the next headline.
		 */
		static Optional<Queue> parse(String answer) {
			Map<String, Integer> waiting = new HashMap<>();
			String headline = "";
			for (String line : answer.lines().map(String::strip).toList()) {
				if (line.isEmpty() || line.endsWith(":")) {
					headline = line;
					waiting.put(headline, 0);
				}
				else if (!line.equals("Empty")) {
					waiting.merge(headline, 1, Integer::sum);
				}
			}
			Optional<Integer> c1 = Optional.ofNullable(waiting.get("C1 compile queue:"));
			Optional<Integer> c2 = Optional.ofNullable(waiting.get("C2 compile queue:"));
			return (c1.isPresent() || c2.isPresent()) ? Optional.of(new Queue(c1.orElse(0), c2.orElse(0)))
					: Optional.empty();
		}

	}

}
