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

	private final Supplier<Optional<Integer>> waiting;

	CompilerObserver() {
		this(CompilerObserver::waiting);
	}

	CompilerObserver(Supplier<Optional<Integer>> waiting) {
		this.waiting = waiting;
	}

	@Override
	public Observation begin(String run, RunRecorder recorder) {
		return new Observation() {

			@Override
			public void ended() {
				CompilerObserver.this.waiting.get()
					.filter((methods) -> methods > HANDFUL)
					.ifPresent(
							(count) -> recorder.addFinding("%d methods still wait for the compiler.".formatted(count)));
			}

		};
	}

	/**
	 * How many methods wait to be compiled, by HotSpot's diagnostic command
	 * {@code Compiler.queue}. That stops all threads for a moment (a safepoint), so do
	 * not call it in a loop.
	 */
	static Optional<Integer> waiting() {
		try {
			MBeanServer server = ManagementFactory.getPlatformMBeanServer();
			ObjectName commands = new ObjectName("com.sun.management:type=DiagnosticCommand");
			return (server.invoke(commands, "compilerQueue", new Object[0], new String[0]) instanceof String answer)
					? count(answer) : Optional.empty();
		}
		catch (JMException | RuntimeException ex) { // not HotSpot, or commands are off
			return Optional.empty();
		}
	}

	/**
	 * Counts the methods in the command's answer: under the headline of each compiler's
	 * queue one a line, or {@code Empty}, up to a blank line or the next headline. Empty
	 * where there is no queue.
	 */
	static Optional<Integer> count(String answer) {
		Optional<Integer> methods = Optional.empty();
		boolean isQueue = false;
		for (String line : answer.lines().map(String::strip).toList()) {
			if (line.isEmpty() || line.endsWith(":")) {
				isQueue = line.endsWith(" compile queue:");
				methods = isQueue ? methods.or(() -> Optional.of(0)) : methods;
			}
			else if (isQueue && !line.equals("Empty")) {
				methods = methods.map((before) -> before + 1);
			}
		}
		return methods;
	}

}
