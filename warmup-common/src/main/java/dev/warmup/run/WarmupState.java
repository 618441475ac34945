package dev.warmup.run;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.warmup.protocol.Listeners;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunRecord;

/** The phase of this instance and its last runs. Thread-safe. */
public final class WarmupState {

	private static final int RUNS_KEPT = 20;

	private final Clock clock;

	private final Listeners<RunListener> listeners;

	private final List<RunRecord> runs = new ArrayList<>();

	private Phase phase = Phase.COLD;

	private Instant since;

	/** A cold instance, whose changes these listeners follow. */
	public WarmupState(Clock clock, List<RunListener> listeners) {
		this.clock = clock;
		this.listeners = new Listeners<>(listeners);
		this.since = clock.instant();
	}

	/** The phase and when it began, as of one moment. */
	public synchronized PhaseSince phase() {
		return new PhaseSince(this.phase, this.since);
	}

	/** At most 20, the newest first. */
	public synchronized List<RunRecord> runs() {
		return List.copyOf(this.runs);
	}

	/** Empty when none has ended yet. */
	public synchronized Optional<Instant> lastRunEnd() {
		return this.runs.stream().findFirst().map((run) -> run.startedAt().plus(run.waited()).plus(run.took()));
	}

	/** A run is answered: leaves {@link Phase#COLD} and {@link Phase#FAILED}. */
	void underWay() {
		Phase now = phase().phase();
		if (now == Phase.COLD || now == Phase.FAILED) {
			enter(Phase.WARMING);
		}
	}

	/** The run under way goes on although the gate has opened. */
	void ramping() {
		enter(Phase.RAMPING);
	}

	void ended(RunRecord run) {
		synchronized (this) {
			this.runs.add(0, run);
			if (this.runs.size() > RUNS_KEPT) {
				this.runs.remove(RUNS_KEPT);
			}
		}
		this.listeners.each((listener) -> listener.onRun(run));
	}

	/** Takes in a run through all gateways; the phase it left the instance in, if any. */
	Optional<Phase> completed(List<RunRecord> byGateway) {
		Optional<Phase> left = Phase.after(byGateway.stream().map(RunRecord::verdict).toList());
		left.ifPresent(this::enter);
		return left;
	}

	private void enter(Phase next) {
		synchronized (this) {
			if (this.phase == next) {
				return;
			}
			this.phase = next;
			this.since = this.clock.instant();
		}
		this.listeners.each((listener) -> listener.onPhase(next));
	}

	/** A phase and when it began. */
	public record PhaseSince(Phase phase, Instant since) {

	}

}
