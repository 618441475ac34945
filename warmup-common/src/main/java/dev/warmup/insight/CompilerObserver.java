package dev.warmup.insight;

import java.lang.management.ManagementFactory;
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

	/** Creates an observer of this JVM. */
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
	 * threads for a moment (a safepoint), so it is not to be asked in a loop.
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

		private static final String C1 = "C1 compile queue:";

		private static final String C2 = "C2 compile queue:";

		private static final String EMPTY = "Empty";

		/**
		 * Reads the command's answer: under each compiler's headline a method a line, or
		 * {@value #EMPTY}, up to a blank line or the next headline.
		 */
		static Optional<Queue> parse(String answer) {
			int[] waiting = new int[3];
			int at = 0;
			boolean known = false;
			for (String line : answer.lines().map(String::strip).toList()) {
				if (line.equals(C1) || line.equals(C2)) {
					at = line.equals(C1) ? 1 : 2;
					known = true;
				}
				else if (line.isEmpty() || line.endsWith(":")) {
					at = 0;
				}
				else if (!line.equals(EMPTY)) {
					waiting[at]++;
				}
			}
			return known ? Optional.of(new Queue(waiting[1], waiting[2])) : Optional.empty();
		}

	}

}
