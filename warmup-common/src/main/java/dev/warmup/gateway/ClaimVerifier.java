package dev.warmup.gateway;

import dev.warmup.traffic.WarmupClaim;
import reactor.core.publisher.Mono;

/** Decides whether a request is the warm-up it claims to be. */
@FunctionalInterface
public interface ClaimVerifier {

	/**
	 * Verifies a claim.
	 * @param claim what the request says of itself
	 * @return whether to believe it; never empty, never fails
	 */
	Mono<Boolean> verify(WarmupClaim claim);

}
