package dev.warmup.protocol;

/** How warm an instance is. */
public enum Phase {

	/** No run has begun. */
	COLD,

	/** A run is under way. */
	WARMING,

	/** Its last run ended {@link Verdict#WARM}, or had nothing to send. */
	WARM,

	/** Its last run ended {@link Verdict#DEGRADED}. */
	DEGRADED,

	/** Its last run ended {@link Verdict#FAILED}. */
	FAILED;

	/** The phase that a run leaves an instance in. */
	public static Phase after(Verdict verdict) {
		return switch (verdict) {
			case WARM, SKIPPED -> WARM;
			case DEGRADED -> DEGRADED;
			case FAILED -> FAILED;
		};
	}

}
