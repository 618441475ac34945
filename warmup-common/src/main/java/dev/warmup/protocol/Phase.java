package dev.warmup.protocol;

import java.util.Collection;
import java.util.Optional;

/** How warm an instance is. */
public enum Phase {

	/** No run has reached it yet. */
	COLD,

	/** A run that takes it out of {@link #COLD} or {@link #FAILED} is under way. */
	WARMING,

	/** It takes users, fewer at first, while its run goes on between their requests. */
	RAMPING,

	/** Its last run ended {@link Verdict#WARM} through every gateway. */
	WARM,

	/** Its last run reached less than {@link #WARM}, but more than nothing. */
	DEGRADED,

	/** Its last run was answered as expected through no gateway. */
	FAILED;

	/**
	 * The phase that a run leaves an instance in, by its verdict through each gateway;
	 * empty when nothing was to be sent.
	 */
	public static Optional<Phase> after(Collection<Verdict> verdicts) {
		if (verdicts.stream().allMatch((verdict) -> verdict == Verdict.SKIPPED)) {
			return Optional.empty();
		}
		if (verdicts.stream().allMatch((verdict) -> verdict == Verdict.WARM)) {
			return Optional.of(WARM);
		}
		return Optional.of(verdicts.stream().allMatch((verdict) -> verdict == Verdict.FAILED) ? FAILED : DEGRADED);
	}

}
