package dev.warmup.run;

import java.time.Duration;

import dev.warmup.protocol.Verdict;

/**
 * Decides when the gate opens during a run, when that ends, and how: pure functions of
 * what it has done so far. Its deadline and its verdict open the gate, too.
 */
final class RunEnd {

	/**
	 * How long a startup run goes on from its first answer at most while no user comes,
	 * and how long a training run takes.
	 */
	static final Duration LONGEST = Duration.ofSeconds(60);

	private RunEnd() {
	}

	/** Decides how a run goes on; to be asked after each repetition. */
	static Decision decide(Snapshot run) {
		boolean budgetSpent = isSpent(run.elapsed(), run.budget());
		if (run.over()) {
			return Decision.END;
		}
		if (!run.reached()) {
			return (run.kind() == Kind.OTHER && budgetSpent) ? Decision.END : Decision.CONTINUE;
		}
		boolean longest = isSpent(run.elapsed(), LONGEST);
		if (run.kind() == Kind.TRAINING) {
			return longest ? Decision.END : Decision.CONTINUE;
		}
		if (!run.complete()) {
			return budgetSpent ? Decision.END : Decision.CONTINUE;
		}
		if (run.steady()) {
			return Decision.END;
		}
		if (!budgetSpent) {
			return Decision.CONTINUE;
		}
		if (run.kind() == Kind.OTHER || longest || run.awaited() || verdict(run) != Verdict.WARM) {
			return Decision.END;
		}
		return run.gateOpen() ? Decision.CONTINUE : Decision.OPEN_GATE;
	}

	/** The verdict on a run that ends now and had something to send. */
	static Verdict verdict(Snapshot run) {
		if (!run.anyExpected()) {
			return Verdict.FAILED;
		}
		return (run.complete() && run.proved() && !run.failing()) ? Verdict.WARM : Verdict.DEGRADED;
	}

	private static boolean isSpent(Duration time, Duration limit) {
		return time.compareTo(limit) >= 0;
	}

	/** How a run goes on. */
	enum Decision {

		/** With the next repetition. */
		CONTINUE,

		/** With the next repetition, and users may come. */
		OPEN_GATE,

		/** It ends, and its verdict decides on the gate. */
		END

	}

	/** What a run is for. */
	enum Kind {

		/** To warm an instance that has started. */
		STARTUP,

		/** To train a cache of the JVM. */
		TRAINING,

		/** Idle, on demand, or for a gateway that asked, whatever the trigger says. */
		OTHER

	}

	/**
	 * What a run has done so far.
	 *
	 * @param over whether it is to end: the application stops, the run's deadline has
	 * come, or no gateway has the library
	 * @param reached whether a first answer came
	 * @param elapsed the time since the first answer, without the waits that gateways
	 * asked for; until then since the run began
	 * @param budget how long it replays what is not steady before
	 * @param anyExpected whether any request was answered as expected
	 * @param complete whether every request was answered as expected as often as required
	 * @param failing whether half of the last ten results of any request were failures
	 * @param proved whether the instance proved that it gave any of the expected answers
	 * @param steady whether the latency of every request has stopped falling
	 * @param gateOpen whether users may come
	 * @param awaited whether a user has come since the gate opened, or a gateway waits
	 */
	record Snapshot(Kind kind, boolean over, boolean reached, Duration elapsed, Duration budget, boolean anyExpected,
			boolean complete, boolean failing, boolean proved, boolean steady, boolean gateOpen, boolean awaited) {

	}

}
