package dev.warmup.discovery;

import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

import dev.warmup.protocol.WarmupClaim;
import dev.warmup.protocol.WarmupToken;
import reactor.core.publisher.Mono;

import org.springframework.cloud.client.ServiceInstance;

/**
 * Believes a claim whose token is the one that the claimant published by its hash in
 * discovery. A claimant is remembered, and looked up again every 30 seconds beside the
 * traffic.
 * <p>
 * Forged claims cannot flood the registry: it is asked five times a second for instances
 * that nobody knows, and as often for those that are known but show another token, which
 * happens after a restart under the same name. Beyond that a claim is rejected. In such a
 * flood a genuine new claimant may have to wait until the local registry shows it.
 * Thread-safe.
 */
public final class RegistryClaimVerifier implements ClaimVerifier {

	private static final Duration CHECKED_EVERY = Duration.ofSeconds(30);

	private static final double PER_SECOND = 5;

	/** As many instances may be new at once. */
	private static final int BURST = 20;

	private final InstanceLookup lookup;

	private final Optional<WarmupToken> shared;

	private final Clock clock;

	private final RecentLookups lookups;

	private final Claimants claimants = new Claimants();

	private final TokenBucket forStrangers;

	private final TokenBucket forKnown;

	/**
	 * Creates the verifier.
	 * @param lookup where to look claimants up
	 * @param shared the token that was set on both sides, if it was: it proves a claim
	 * whatever discovery says
	 * @param clock the source of time
	 */
	public RegistryClaimVerifier(InstanceLookup lookup, Optional<WarmupToken> shared, Clock clock) {
		this.lookup = lookup;
		this.shared = shared;
		this.clock = clock;
		this.lookups = new RecentLookups(lookup, clock);
		this.forStrangers = new TokenBucket(PER_SECOND, BURST, clock);
		this.forKnown = new TokenBucket(PER_SECOND, BURST, clock);
	}

	@Override
	public Mono<Verification> verify(WarmupClaim claim) {
		return Mono.defer(() -> claim.token()
			.map((token) -> verify(new Proof(claim.instanceId(), token, isShared(token))))
			.orElseGet(() -> Mono.just(new Verification.Rejected())));
	}

	private boolean isShared(String token) {
		return this.shared.filter((own) -> own.matches(token)).isPresent();
	}

	private Mono<Verification> verify(Proof proof) {
		Optional<Claimants.Claimant> claimant = this.claimants.find(proof.instanceId());
		Optional<ServiceInstance> remembered = claimant.map(Claimants.Claimant::instance).filter(proof::convinces);
		if (remembered.isPresent()) {
			return Mono.just(verified(remembered.get()))
				.doOnNext((verified) -> claimant.filter(this::isDue).ifPresent((due) -> check(proof, due)));
		}
		// what is at hand may be older than what made the claimant remembered
		Optional<ServiceInstance> known = claimant.isPresent() ? Optional.empty()
				: this.lookup.known(proof.instanceId());
		if (known.filter(proof::convinces).isPresent()) {
			return Mono.just(remember(proof, known.get()));
		}
		boolean stranger = claimant.isEmpty() && known.isEmpty() && !proof.shared();
		return this.lookups.ask(proof.instanceId(), stranger ? this.forStrangers : this.forKnown)
			.map((finding) -> judge(proof, finding));
	}

	private Verification judge(Proof proof, LookupResult finding) {
		if (finding instanceof LookupResult.Found found && proof.convinces(found.instance())) {
			return remember(proof, found.instance());
		}
		if (finding instanceof LookupResult.Unanswered
				|| (finding instanceof LookupResult.NotAsked && proof.shared())) {
			return new Verification.Unavailable();
		}
		return proof.shared() ? new Verification.Verified(Optional.empty()) : new Verification.Rejected();
	}

	private boolean isDue(Claimants.Claimant claimant) {
		return this.clock.instant().isAfter(claimant.checkedAt().plus(CHECKED_EVERY));
	}

	/** Keeps the claimant while nobody can be asked. */
	private void check(Proof proof, Claimants.Claimant due) {
		Optional<ServiceInstance> known = this.lookup.known(proof.instanceId()).filter(proof::convinces);
		remember(proof, known.orElse(due.instance()));
		if (known.isEmpty()) {
			this.lookups.ask(proof.instanceId(), this.forKnown).subscribe((finding) -> {
				if (finding instanceof LookupResult.Found found && proof.convinces(found.instance())) {
					remember(proof, found.instance());
				}
				else if (finding instanceof LookupResult.Found || finding instanceof LookupResult.Unknown) {
					this.claimants.forget(proof.instanceId());
				}
			});
		}
	}

	private Verification remember(Proof proof, ServiceInstance instance) {
		this.claimants.remember(proof.instanceId(), new Claimants.Claimant(instance, this.clock.instant()));
		return verified(instance);
	}

	private static Verification verified(ServiceInstance instance) {
		return new Verification.Verified(Optional.of(instance));
	}

	/** How much is remembered, of claimants and of questions to the registry. */
	int size() {
		return this.claimants.size() + this.lookups.size();
	}

}
