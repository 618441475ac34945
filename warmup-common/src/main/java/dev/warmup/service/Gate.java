package dev.warmup.service;

import java.util.concurrent.atomic.AtomicBoolean;

import dev.warmup.GateOpened;
import dev.warmup.protocol.GatePosition;

import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.event.EventListener;

/**
 * Whether users may come to this instance: closed until it is opened, which is for good,
 * and leaving while the application stops. Thread-safe.
 */
public final class Gate {

	private final ApplicationEventPublisher events;

	private final boolean enabled;

	/** Whether it was opened, or its event published. */
	private final AtomicBoolean opened = new AtomicBoolean();

	private volatile boolean leaving;

	/**
	 * Creates a gate.
	 * @param enabled whether it is closed at first
	 * @param events publishes {@link GateOpened}
	 */
	public Gate(boolean enabled, ApplicationEventPublisher events) {
		this.enabled = enabled;
		this.events = events;
	}

	/**
	 * Opens a closed gate, unless the application stops, and publishes {@link GateOpened}
	 * on this thread.
	 */
	public void open() {
		if (!this.leaving && this.opened.compareAndSet(false, true)) {
			this.events.publishEvent(new GateOpened());
		}
	}

	/** Nothing else opens a gate that is off, and what waits for the event must start. */
	@EventListener(ApplicationReadyEvent.class)
	void ready() {
		if (!this.enabled) {
			open();
		}
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
		return !this.enabled || this.opened.get();
	}

	/** Whether the application stops. */
	public boolean isLeaving() {
		return this.leaving;
	}

	public GatePosition position() {
		return isOpen() ? GatePosition.OPEN : GatePosition.CLOSED;
	}

}
