package dev.warmup.run;

import java.util.Optional;

import dev.warmup.record.Phase;

/** Says whether the instance may take users. Once open it stays open. Thread-safe. */
public final class Gate implements RunListener {

	private final Position onFailure;

	private volatile boolean open;

	/**
	 * Creates a gate.
	 * @param enabled whether it is closed at first
	 * @param onFailure where a run that did not end warm leaves it
	 */
	public Gate(boolean enabled, Position onFailure) {
		this.open = !enabled;
		this.onFailure = onFailure;
	}

	/**
	 * Whether the instance may take users.
	 * @return {@code true} from the first run's end on, or, with policy
	 * {@link Position#CLOSED}, from the end of the first run that left it warm
	 */
	public boolean isOpen() {
		return this.open;
	}

	@Override
	public void onConcluded(Optional<Phase> left) {
		if (left.isEmpty() || left.get() == Phase.WARM || this.onFailure == Position.OPEN) {
			this.open = true;
		}
	}

	/**
	 * Where the gate stands.
	 * @return open or closed
	 */
	public Position position() {
		return this.open ? Position.OPEN : Position.CLOSED;
	}

	/** Where a gate stands. */
	public enum Position {

		/** Users may come. */
		OPEN,

		/** Users should not come yet. */
		CLOSED

	}

}
