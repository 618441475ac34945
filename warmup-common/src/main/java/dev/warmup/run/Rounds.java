package dev.warmup.run;

import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import dev.warmup.catalog.Scenario;
import dev.warmup.protocol.JvmReading;

/**
 * Decides between two rounds of a run whether there is another, and of what. All
 * scenarios are replayed until the minimum number of rounds is reached and the JVMs on
 * the route are quiet, since all become faster meanwhile; then those that are not
 * settled, until none is left. Not thread-safe: one call at a time.
 */
final class Rounds {

	/** Rounds until one more scenario may be replayed beside the others. */
	private static final int STEP = 5;

	private final Plan plan;

	private final RunSettings settings;

	private final RunRecorder recorder;

	private final Supplier<JvmReading> own;

	private final Timing timing;

	private final JvmActivity activity;

	private final int most;

	private final Set<Scenario> all;

	private Set<Scenario> due;

	Rounds(Plan plan, RunSettings settings, RunRecorder recorder, Supplier<JvmReading> own, Timing timing) {
		this.plan = plan;
		this.settings = settings;
		this.recorder = recorder;
		this.own = own;
		this.timing = timing;
		this.activity = settings.criteria().activity();
		this.most = settings.rounds(plan);
		this.all = plan.shares().stream().map(Plan.Share::scenario).collect(Collectors.toSet());
		this.due = this.all;
	}

	/** Takes in the figures that a gateway returns of its JVM. */
	void note(Outcome outcome) {
		if (outcome instanceof Outcome.Answered answered) {
			answered.gateway().ifPresent((reading) -> this.activity.note(this.timing.nanoTime().getAsLong(), reading));
		}
	}

	/**
	 * Whether there is a round of this number.
	 * @param round from 0, and one more each time
	 */
	boolean has(int round) {
		this.activity.note(this.timing.nanoTime().getAsLong(), this.own.get());
		this.recorder.busy(this.activity.busy());
		if (round < this.plan.rounds()) {
			return true;
		}
		this.due = this.activity.isQuiet()
				? this.all.stream().filter((scenario) -> !this.recorder.isSettled(scenario)).collect(Collectors.toSet())
				: this.all;
		if (this.due.isEmpty()) {
			return false;
		}
		if (round >= this.most) {
			this.recorder.exhausted(this.settings.maxRepetitions());
			return false;
		}
		return true;
	}

	/** What is replayed in a round that there is. */
	List<Scenario> round(int round) {
		return this.plan.round(round).stream().filter(this.due::contains).toList();
	}

	/**
	 * How many scenarios may go side by side: one at first, and one more every 5 rounds.
	 */
	int concurrency(int round) {
		return Math.min(this.settings.concurrency(), 1 + round / STEP);
	}

}
