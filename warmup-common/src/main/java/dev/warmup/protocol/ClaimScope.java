package dev.warmup.protocol;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The one purpose that a signed claim serves. */
public enum ClaimScope {

	/** To have a warm-up request pinned to the claimant, and its registration checked. */
	REPLAY,

	/** To report a run. */
	REPORT,

	/** To deregister an instance that shuts down. */
	LEAVE,

	/** To request a run from a service. */
	ASK,

	/** To mark a call to another service as warm-up. */
	MARK;

	/** The scope as the claim contains it. */
	String value() {
		return name().toLowerCase(Locale.ROOT);
	}

	static Optional<ClaimScope> of(String value) {
		return Arrays.stream(values()).filter((scope) -> scope.value().equals(value)).findFirst();
	}

}
