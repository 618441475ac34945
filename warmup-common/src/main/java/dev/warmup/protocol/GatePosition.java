package dev.warmup.protocol;

/** Where the gate stands that keeps users from an instance that is not warm. */
public enum GatePosition {

	/** Users may come. */
	OPEN,

	/** Users should not come yet. */
	CLOSED

}
