package dev.warmup.protocol;

/** The position of the gate, which keeps users from an instance that is not warm. */
public enum GatePosition {

	OPEN, CLOSED

}
