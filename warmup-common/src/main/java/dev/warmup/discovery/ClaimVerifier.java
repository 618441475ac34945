package dev.warmup.discovery;

import java.time.Clock;
import java.util.Optional;

import dev.warmup.protocol.ClaimScope;
import dev.warmup.protocol.InstanceSource;
import dev.warmup.protocol.WarmupClaim;
import dev.warmup.protocol.WarmupKey;
import reactor.core.publisher.Mono;

/** Decides whether a request is the warm-up it claims to be. */
@FunctionalInterface
public interface ClaimVerifier {

	/**
	 * Verifies a claim; one without a token is never true.
	 * @param claim the claim, from anyone
	 * @param scope what it is presented for; a token for another purpose or receiver, or
	 * one that has expired, proves nothing
	 * @return the decision; never empty, never fails, does not block
	 */
	Mono<Verification> verify(WarmupClaim claim, ClaimScope scope);

	/**
	 * Accepts claims that were signed with a shared secret and no others, for use without
	 * discovery.
	 * @param key the key of services and gateways; if empty, every claim is rejected
	 * @param self the receiver of the claims
	 * @param clock the source of time
	 * @return the verifier
	 */
	static ClaimVerifier shared(Optional<WarmupKey> key, InstanceSource self, Clock clock) {
		return (claim,
				scope) -> Mono.fromSupplier(() -> claim.read(scope, self.get(), clock.instant())
					.filter((content) -> key.filter((own) -> own.verifies(claim.jwt().orElseThrow())).isPresent())
					.<Verification>map((content) -> new Verification.Verified(content, Optional.empty()))
					.orElseGet(Verification.Rejected::new));
	}

}
