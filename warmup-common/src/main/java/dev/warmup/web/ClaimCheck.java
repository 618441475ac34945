package dev.warmup.web;

import java.util.List;
import java.util.Optional;

import dev.warmup.WarmupContext;
import dev.warmup.protocol.WarmupClaim;
import dev.warmup.protocol.WarmupToken;

/**
 * What a service makes of the headers {@value WarmupClaim#HEADER} of a request. A
 * malformed one counts as none, and so do several.
 *
 * @param kind whose request it is
 * @param mark what the application is told of it; empty unless it is run
 */
record ClaimCheck(Kind kind, Optional<WarmupContext> mark) {

	/** Whose request it is. */
	enum Kind {

		/** Warm-up of this instance, which the token proves. */
		OWN,

		/** Said to be warm-up by another service, which proves nothing. */
		MARKED,

		/** Warm-up of another instance, or a forger's. */
		MISDIRECTED,

		/** A user's. */
		USER

	}

	static ClaimCheck of(List<String> headers, String instanceId, WarmupToken token) {
		return ((headers.size() == 1) ? WarmupClaim.parse(headers.get(0)) : Optional.<WarmupClaim>empty())
			.map((claim) -> of(claim, instanceId, token))
			.orElseGet(() -> new ClaimCheck(Kind.USER, Optional.empty()));
	}

	private static ClaimCheck of(WarmupClaim claim, String instanceId, WarmupToken token) {
		if (claim.token().isEmpty()) {
			return new ClaimCheck(Kind.MARKED, Optional.of(claim.toContext()));
		}
		boolean own = token.matches(claim.token().get()) && claim.instanceId().equals(instanceId);
		return own ? new ClaimCheck(Kind.OWN, Optional.of(claim.toContext()))
				: new ClaimCheck(Kind.MISDIRECTED, Optional.empty());
	}

}
