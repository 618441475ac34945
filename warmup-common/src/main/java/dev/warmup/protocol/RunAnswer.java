package dev.warmup.protocol;

/** What an instance answers to a gateway that wants to be warmed. */
public enum RunAnswer {

	/** It has started a run through that gateway. */
	STARTED,

	/** Not now: a run is under way or just over, or the gateway itself wants none. */
	BUSY,

	/** It has nothing to send. */
	NOTHING

}
