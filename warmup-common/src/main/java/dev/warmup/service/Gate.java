package dev.warmup.service;

import java.util.concurrent.atomic.AtomicBoolean;

import dev.warmup.GateOpened;
import dev.warmup.protocol.GatePosition;

import org.springframework.context.ApplicationEventPublisher;

/**
 * Whether users may come to this instance: closed until it is opened, which is for good,
 * and leaving while the application stops. Thread-safe.
 */
public final class Gate {

	private final ApplicationEventPublisher events;

	private final AtomicBoolean open;

	private volatile boolean leaving;

	/**
	 * Creates a gate.
	 * @param enabled whether it is closed at first
	 * @param events publishes {@link GateOpened}
	 */
	public Gate(boolean enabled, ApplicationEventPublisher events) {
		this.open = new AtomicBoolean(!enabled);
		this.events = events;
	}

	/**
	 * Opens a closed gate, unless the application stops, and publishes {@link GateOpened}
	 * on this thread.
	 * @return whether this opened it
	 */
	public boolean open() {
		boolean opened = !this.leaving && this.open.compareAndSet(false, true);
		if (opened) {
			this.events.publishEvent(new GateOpened());
		}
		return opened;
	}

	/** Users should go elsewhere from now on: the application stops. */
	public void leave() {
		this.leaving = true;
	}

	/** The application runs again, such as after a paused context. */
	public void comeBack() {
		this.leaving = false;
	}

	/** Whether it has been opened, also while the application stops. */
	public boolean isOpen() {
		return this.open.get();
	}

	/** Whether the application stops. */
	public boolean isLeaving() {
		return this.leaving;
	}

	public GatePosition position() {
		return isOpen() ? GatePosition.OPEN : GatePosition.CLOSED;
	}

}
