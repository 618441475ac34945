package dev.warmup.discovery;

import java.time.Clock;
import java.util.Optional;

import dev.warmup.protocol.Instance;
import dev.warmup.protocol.SignedClaim;
import dev.warmup.protocol.WarmupClaim;
import dev.warmup.protocol.WarmupKey;
import reactor.core.publisher.Mono;

import org.springframework.cloud.client.ServiceInstance;

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
	Mono<Verification> verify(WarmupClaim claim, SignedClaim.Scope scope);

	/**
	 * Accepts claims that were signed with a shared secret and no others, for use without
	 * discovery.
	 * @param key the key of services and gateways; if empty, every claim is rejected
	 */
	static ClaimVerifier shared(Optional<WarmupKey> key, Instance.Source self, Clock clock) {
		return (claim,
				scope) -> Mono.fromSupplier(() -> claim.read(scope, self.get(), clock.instant())
					.filter((content) -> key.filter((own) -> own.verifies(claim.jwt().orElseThrow())).isPresent())
					.<Verification>map((content) -> new Verification.Verified(content, Optional.empty()))
					.orElseGet(Verification.Rejected::new));
	}

	/** The result of verifying a claim. */
	sealed interface Verification {

		/**
		 * The claim is true.
		 *
		 * @param claim the content of the token
		 * @param instance the claimant as registered in discovery; empty where there is
		 * no discovery, and for a mark that a shared secret alone proves
		 */
		record Verified(SignedClaim claim, Optional<ServiceInstance> instance) implements Verification {

		}

		/** The claim is not true, or the claimant is not registered. */
		record Rejected() implements Verification {

		}

		/**
		 * The claim cannot be checked now: the registry does not answer, or does not yet
		 * have a claimant that a shared secret proves, or too many claims are being
		 * checked.
		 */
		record Unavailable() implements Verification {

		}

	}

}
