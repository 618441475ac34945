package dev.warmup.protocol;

/** What an instance answers to a gateway that wants to be warmed. */
public enum RunAnswer {

	/** It has started a run through that gateway. */
	STARTED,

	/** A run is under way, or ended less than ten seconds ago. */
	BUSY,

	/** It has nothing to send, or the gateway does not want a run of its service. */
	NOTHING

}
