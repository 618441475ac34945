package dev.warmup.bench.scenario;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import dev.warmup.bench.stack.Answer;
import dev.warmup.bench.stack.Stack;

/**
 * The run that an idle stack makes by itself, through its gateway. Until it is over only
 * the gateway's log is looked at: a question would warm what is idle.
 */
final class Rewarm {

	private static final String MARK = "IDLE re-warm";

	private static final Duration LIMIT = Duration.ofMinutes(2);

	private static final Duration PAUSE = Duration.ofMillis(200);

	private Rewarm() {
	}

	/**
	 * Tells how many such runs were reported.
	 * @param log the gateway's log
	 * @return how many status lines name one
	 */
	static long count(String log) {
		return log.lines().filter((line) -> line.contains(MARK)).count();
	}

	/**
	 * Waits until one more run than before is over.
	 * @param stack the stack
	 * @param before how many there were
	 * @throws IllegalStateException when there is none within 2 minutes
	 */
	static void await(Stack stack, long before) {
		long end = System.nanoTime() + LIMIT.toNanos();
		while (count(stack.log("gateway")) <= before) {
			if (System.nanoTime() - end > 0) {
				throw new IllegalStateException("the idle stack was not warmed again");
			}
			sleep(PAUSE);
		}
	}

	/**
	 * Judges the run that was waited for.
	 * @param status what {@code /actuator/warmup} of the service answers
	 * @param earliest when it may have begun
	 * @return what readers should know of it; empty when it left the instance warm
	 * @throws IllegalStateException when it had begun before, and so found memory that
	 * was not paged out yet
	 */
	static Optional<String> judge(Answer status, Instant earliest) {
		String trigger = status.read("$.runs[0].trigger");
		String verdict = status.read("$.runs[0].verdict");
		Instant startedAt = Instant.parse(status.read("$.runs[0].startedAt"));
		if (!trigger.equals("IDLE") || startedAt.isBefore(earliest)) {
			throw new IllegalStateException("the %s run of %s began before the memory was paged out at %s"
				.formatted(trigger, startedAt, earliest));
		}
		return verdict.equals("WARM") ? Optional.empty()
				: Optional.of("The re-warm of the idle stack ended " + verdict + ".");
	}

	static void sleep(Duration duration) {
		try {
			Thread.sleep(Math.max(0, duration.toMillis()));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

}
