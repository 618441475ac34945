package dev.warmup.protocol;

import java.util.Optional;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether the instance may take users. Once open it stays open. Thread-safe. */
public final class Gate {

	private static final Logger logger = LoggerFactory.getLogger(Gate.class);

	private final boolean enabled;

	private final Position onFailure;

	private final Runnable opened;

	private volatile boolean open;

	/**
	 * Creates a gate.
	 * @param enabled whether it is closed at first
	 * @param onFailure where a run that did not end warm leaves it
	 * @param opened is run once, when a closed gate opens
	 */
	public Gate(boolean enabled, Position onFailure, Runnable opened) {
		this.enabled = enabled;
		this.open = !enabled;
		this.onFailure = onFailure;
		this.opened = opened;
	}

	/** A gate that is open from the start. */
	public static Gate open() {
		return new Gate(false, Position.OPEN, () -> {
		});
	}

	/** Whether it was closed at first. */
	public boolean isEnabled() {
		return this.enabled;
	}

	/**
	 * Whether the instance may take users: from the moment that a ramp, the deadline, or
	 * the end of a run opens the gate; with policy {@link Position#CLOSED}, from the end
	 * of the first run that was warm through each gateway that it sent a request through,
	 * or of a startup run with nothing to send.
	 */
	public boolean isOpen() {
		return this.open;
	}

	/** Whether its policy is to open after a run that did not end warm. */
	public boolean opensOnFailure() {
		return this.onFailure == Position.OPEN;
	}

	/**
	 * Opens the gate if its policy allows it.
	 * @param left the phase that a run through all gateways left the instance in, or
	 * empty when there was nothing to send at start
	 * @return whether this opened it
	 */
	public boolean onCompleted(Optional<Phase> left) {
		return (left.isEmpty() || left.get() == Phase.WARM || opensOnFailure()) && openOnce();
	}

	/**
	 * Opens the gate if its policy allows users to come before a run has ended; returns
	 * whether this opened it.
	 */
	public boolean onDeadline() {
		return opensOnFailure() && openOnce();
	}

	private boolean openOnce() {
		synchronized (this) {
			if (this.open) {
				return false;
			}
			this.open = true;
		}
		try {
			this.opened.run();
		}
		catch (RuntimeException | LinkageError ex) {
			logger.error("The gate is open, but a listener failed", ex);
		}
		return true;
	}

	public Position position() {
		return this.open ? Position.OPEN : Position.CLOSED;
	}

	/** The position of the gate, which keeps users from an instance that is not warm. */
	public enum Position {

		OPEN, CLOSED

	}

}
