package dev.warmup.discovery;

import java.util.Optional;

import dev.warmup.protocol.WarmupClaim;
import dev.warmup.protocol.WarmupToken;
import reactor.core.publisher.Mono;

/** Decides whether a request is the warm-up it claims to be. */
@FunctionalInterface
public interface ClaimVerifier {

	/**
	 * Verifies a claim; one without a token is never true.
	 * @param claim the claim, from anyone
	 * @return the decision; never empty, never fails, does not block
	 */
	Mono<Verification> verify(WarmupClaim claim);

	/**
	 * Accepts a shared token and no other, for use without discovery.
	 * @param token the token that services and gateways are configured with; if empty,
	 * every claim is rejected
	 * @return the verifier
	 */
	static ClaimVerifier sharedToken(Optional<WarmupToken> token) {
		return (claim) -> Mono.just(token.filter((own) -> claim.token().filter(own::matches).isPresent())
			.<Verification>map((own) -> new Verification.Verified(Optional.empty()))
			.orElseGet(Verification.Rejected::new));
	}

}
