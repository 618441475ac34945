package dev.warmup.web;

import java.util.List;
import java.util.Optional;

import dev.warmup.WarmupContext;
import dev.warmup.protocol.WarmupClaim;
import dev.warmup.protocol.WarmupToken;

/**
 * Classifies a request to a service by its headers {@value WarmupClaim#HEADER}. Malformed
 * and repeated headers are ignored.
 *
 * @param kind the kind of request
 * @param mark the mark for the application; empty unless it handles warm-up
 */
record ClaimCheck(Kind kind, Optional<WarmupContext> mark) {

	enum Kind {

		/** Warm-up of this instance, proved by its token. */
		OWN,

		/** Marked as warm-up by another service, without proof. */
		MARKED,

		/** Warm-up of another instance, or forged. */
		MISDIRECTED,

		/** A user request. */
		USER

	}

	/** Without a claim. */
	static final ClaimCheck USER = new ClaimCheck(Kind.USER, Optional.empty());

	static ClaimCheck of(List<String> headers, String instanceId, WarmupToken token) {
		return ((headers.size() == 1) ? WarmupClaim.parse(headers.get(0)) : Optional.<WarmupClaim>empty())
			.map((claim) -> of(claim, instanceId, token))
			.orElse(USER);
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
