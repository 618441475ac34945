package dev.warmup.discovery;

import java.util.Optional;

import dev.warmup.protocol.WarmupClaim;
import dev.warmup.protocol.WarmupToken;
import reactor.core.publisher.Mono;

/**
 * Believes claims with the token that was set on both sides, and no other, where there is
 * no discovery to ask.
 */
public final class SharedTokenVerifier implements ClaimVerifier {

	private final Optional<WarmupToken> shared;

	/**
	 * Creates the verifier.
	 * @param shared the token; without one, no claim is believed
	 */
	public SharedTokenVerifier(Optional<WarmupToken> shared) {
		this.shared = shared;
	}

	@Override
	public Mono<Verification> verify(WarmupClaim claim) {
		boolean proved = this.shared.filter((token) -> claim.token().filter(token::matches).isPresent()).isPresent();
		return Mono.just(proved ? new Verification.Verified(Optional.empty()) : new Verification.Rejected());
	}

}
