package dev.warmup.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.TaskRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls several listeners; one that throws is logged, and the others are called. */
final class RunListeners implements RunListener {

	private static final Logger logger = LoggerFactory.getLogger(RunListeners.class);

	private final List<RunListener> listeners;

	RunListeners(List<RunListener> listeners) {
		this.listeners = List.copyOf(listeners);
	}

	/** {@link Observation#NONE} where no listener observes the run. */
	@Override
	public Observation begin(String run, RunRecorder recorder) {
		List<Observation> observations = new ArrayList<>();
		each(this.listeners, (listener) -> observations.add(listener.begin(run, recorder)));
		observations.removeIf((observation) -> observation == Observation.NONE);
		return observations.isEmpty() ? Observation.NONE : new Observations(observations);
	}

	@Override
	public void onTask(TaskRecord task) {
		each(this.listeners, (listener) -> listener.onTask(task));
	}

	@Override
	public void onOutcome(Outcome outcome) {
		each(this.listeners, (listener) -> listener.onOutcome(outcome));
	}

	@Override
	public void onRun(RunRecord run) {
		each(this.listeners, (listener) -> listener.onRun(run));
	}

	@Override
	public void onConcluded(Optional<Phase> left) {
		each(this.listeners, (listener) -> listener.onConcluded(left));
	}

	@Override
	public void onPhase(Phase phase) {
		each(this.listeners, (listener) -> listener.onPhase(phase));
	}

	private static <T> void each(List<T> all, Consumer<T> call) {
		for (T each : all) {
			try {
				call.accept(each);
			}
			catch (RuntimeException ex) {
				logger.error("{} failed; the warm-up run goes on", each.getClass().getName(), ex);
			}
		}
	}

	private record Observations(List<Observation> all) implements Observation {

		@Override
		public void attempt() {
			each(this.all, Observation::attempt);
		}

		@Override
		public void alone(Outcome outcome) {
			each(this.all, (observation) -> observation.alone(outcome));
		}

		@Override
		public void together() {
			each(this.all, Observation::together);
		}

		@Override
		public void ended() {
			each(this.all, Observation::ended);
		}

		@Override
		public void close() {
			each(this.all, Observation::close);
		}

	}

}
