package dev.warmup.run;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells several listeners. One that fails is logged; run and other listeners go on. */
final class RunListeners implements RunListener {

	private static final Logger logger = LoggerFactory.getLogger(RunListeners.class);

	private final List<RunListener> listeners;

	RunListeners(List<RunListener> listeners) {
		this.listeners = List.copyOf(listeners);
	}

	@Override
	public void onOutcome(Outcome outcome) {
		tell((listener) -> listener.onOutcome(outcome));
	}

	@Override
	public void onRun(RunRecord run) {
		tell((listener) -> listener.onRun(run));
	}

	@Override
	public void onConcluded(Optional<Phase> left) {
		tell((listener) -> listener.onConcluded(left));
	}

	@Override
	public void onPhase(Phase phase) {
		tell((listener) -> listener.onPhase(phase));
	}

	private void tell(Consumer<RunListener> call) {
		for (RunListener listener : this.listeners) {
			try {
				call.accept(listener);
			}
			catch (RuntimeException ex) {
				logger.error("{} failed; the warm-up run goes on", listener.getClass().getName(), ex);
			}
		}
	}

}
