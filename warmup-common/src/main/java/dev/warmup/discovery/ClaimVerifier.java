package dev.warmup.discovery;

import dev.warmup.protocol.WarmupClaim;
import reactor.core.publisher.Mono;

/** Decides whether a request is the warm-up it claims to be. */
@FunctionalInterface
public interface ClaimVerifier {

	/**
	 * Verifies a claim; one without a token is never true.
	 * @param claim what the request says of itself
	 * @return what came of it; never empty, never fails, does not block
	 */
	Mono<Verification> verify(WarmupClaim claim);

}
