package dev.warmup.bench.scenario;

import dev.warmup.bench.stack.Outcome;
import dev.warmup.bench.stack.Stack;

/** Has {@code ./stack} start processes, and takes no failure for an answer. */
final class Launch {

	/** What {@code ./stack} says when all runs, but somebody did not get warm. */
	static final int NOT_WARM = 3;

	private Launch() {
	}

	/**
	 * Starts everything. Blocks until it answers, and is warm where it warms itself.
	 * @param stack what to start
	 * @throws IllegalStateException when it does not run
	 */
	static void up(Stack stack) {
		run(stack, "up", "--detach");
	}

	/**
	 * Runs a command that leaves processes running, warm or not.
	 * @param stack whose processes
	 * @param arguments what to tell {@code ./stack}
	 * @return how it ended
	 * @throws IllegalStateException with what it printed, when it failed
	 */
	static Outcome run(Stack stack, String... arguments) {
		Outcome outcome = stack.run(arguments);
		if (outcome.exitCode() != 0 && outcome.exitCode() != NOT_WARM) {
			throw new IllegalStateException(
					"./stack %s failed:%n%s".formatted(String.join(" ", arguments), outcome.output()));
		}
		return outcome;
	}

}
