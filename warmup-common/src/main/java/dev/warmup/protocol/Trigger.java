package dev.warmup.protocol;

/** What makes a run start. */
public enum Trigger {

	/** The service has just started, and its gate is still closed. */
	STARTUP,

	/** No user came for a while. */
	IDLE,

	/** A training run, such as the one that records a class-data archive. */
	TRAIN,

	/** An operator asked for it. */
	MANUAL;

	/**
	 * Which scenarios a run of this trigger replays.
	 * @return {@link #STARTUP} for {@link #MANUAL}, which no scenario can name; else this
	 */
	public Trigger replays() {
		return (this == MANUAL) ? STARTUP : this;
	}

}
