package dev.warmup.protocol;

/** What makes a run start. */
public enum Trigger {

	/** The service, or a gateway that asks for the run, has just started. */
	STARTUP,

	/** There were no users for a while. */
	IDLE,

	/** A training run, such as the one that records an AOT cache. */
	TRAIN,

	/** An operator requested it. */
	MANUAL;

	/**
	 * The trigger whose scenarios are replayed: {@link #STARTUP} for {@link #MANUAL},
	 * which no scenario can name.
	 */
	public Trigger replays() {
		return (this == MANUAL) ? STARTUP : this;
	}

}
