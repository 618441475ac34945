package dev.warmup.discovery;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.warmup.protocol.WarmupClaim;
import dev.warmup.protocol.WarmupToken;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.cloud.client.ServiceInstance;

/**
 * Accepts a claim whose token matches the hash that the claimant published in discovery.
 * The last 1000 claimants are remembered, and each is looked up again every 30 seconds
 * without delaying its requests.
 * <p>
 * Forged claims cannot flood the registry. At most one look-up of an instance is in
 * flight, and its result counts for a second. All look-ups together are limited to five a
 * second, with a burst of 20, for unknown instances, and to as many for known instances
 * whose published token is another, as after a restart under the same id; beyond that a
 * claim is rejected. During a flood, a new claimant may therefore be rejected until the
 * local copy of the registry contains it. Thread-safe.
 */
public final class RegistryClaimVerifier implements ClaimVerifier {

	private static final Logger logger = LoggerFactory.getLogger(RegistryClaimVerifier.class);

	private static final int MAX_CLAIMANTS = 1000;

	private static final Duration RECHECK_INTERVAL = Duration.ofSeconds(30);

	private static final Duration LOOKUP_TIMEOUT = Duration.ofSeconds(5);

	private static final Duration LOOKUP_TTL = Duration.ofSeconds(1);

	private static final double LOOKUPS_PER_SECOND = 5;

	private static final int LOOKUP_BURST = 20;

	private final InstanceLookup lookup;

	private final Optional<WarmupToken> shared;

	private final Clock clock;

	private final Map<String, Claimant> claimants = Collections.synchronizedMap(new Claimants());

	/** Guarded by itself; the rate limits bound its size. */
	private final Map<String, Lookup> lookups = new HashMap<>();

	private final TokenBucket forUnknown;

	private final TokenBucket forKnown;

	private final AtomicBoolean registrySilent = new AtomicBoolean();

	/**
	 * Creates the verifier.
	 * @param lookup where to look claimants up
	 * @param shared the token that services and gateways are configured with, if any: it
	 * proves a claim whatever the claimant published
	 * @param clock the source of time
	 */
	public RegistryClaimVerifier(InstanceLookup lookup, Optional<WarmupToken> shared, Clock clock) {
		this.lookup = lookup;
		this.shared = shared;
		this.clock = clock;
		this.forUnknown = new TokenBucket(clock);
		this.forKnown = new TokenBucket(clock);
	}

	@Override
	public Mono<Verification> verify(WarmupClaim claim) {
		return Mono
			.defer(() -> claim.token().isPresent() ? verifyToken(claim) : Mono.just(new Verification.Rejected()));
	}

	private Mono<Verification> verifyToken(WarmupClaim claim) {
		Optional<Claimant> claimant = Optional.ofNullable(this.claimants.get(claim.instanceId()));
		Optional<Claimant> remembered = claimant.filter((each) -> matches(claim, each.instance()));
		if (remembered.isPresent()) {
			remembered.filter(this::isDue).ifPresent((due) -> recheck(claim, due));
			return Mono.just(verified(remembered.get().instance()));
		}
		// the local copy may be older than what is remembered of a claimant
		Optional<ServiceInstance> known = claimant.isPresent() ? Optional.empty()
				: this.lookup.known(claim.instanceId());
		if (known.filter((instance) -> matches(claim, instance)).isPresent()) {
			return Mono.just(remember(claim, known.get()));
		}
		boolean unknown = claimant.isEmpty() && known.isEmpty() && !isShared(claim);
		return find(claim.instanceId(), unknown ? this.forUnknown : this.forKnown).map((found) -> judge(claim, found))
			.onErrorReturn(new Verification.Unavailable())
			.defaultIfEmpty(isShared(claim) ? new Verification.Unavailable() : new Verification.Rejected());
	}

	private Verification judge(WarmupClaim claim, Optional<ServiceInstance> found) {
		return found.filter((instance) -> matches(claim, instance))
			.map((instance) -> remember(claim, instance))
			.orElseGet(
					() -> isShared(claim) ? new Verification.Verified(Optional.empty()) : new Verification.Rejected());
	}

	private boolean isShared(WarmupClaim claim) {
		return this.shared.filter((own) -> claim.token().filter(own::matches).isPresent()).isPresent();
	}

	private boolean matches(WarmupClaim claim, ServiceInstance instance) {
		return isShared(claim) || Optional.ofNullable(instance.getMetadata())
			.map((metadata) -> metadata.get(WarmupToken.METADATA_KEY))
			.filter((hash) -> WarmupToken.hasHash(claim.token().orElseThrow(), hash))
			.isPresent();
	}

	private boolean isDue(Claimant claimant) {
		return this.clock.instant().isAfter(claimant.checkedAt().plus(RECHECK_INTERVAL));
	}

	/**
	 * Looks the claimant up again in the background, and keeps it while the registry does
	 * not answer.
	 */
	private void recheck(WarmupClaim claim, Claimant due) {
		Optional<ServiceInstance> known = this.lookup.known(claim.instanceId())
			.filter((instance) -> matches(claim, instance));
		remember(claim, known.orElse(due.instance()));
		if (known.isEmpty()) {
			find(claim.instanceId(), this.forKnown).onErrorComplete().subscribe((found) -> {
				if (found.filter((instance) -> matches(claim, instance)).isPresent()) {
					remember(claim, found.get());
				}
				else {
					this.claimants.remove(claim.instanceId());
				}
			});
		}
	}

	private Verification remember(WarmupClaim claim, ServiceInstance instance) {
		this.claimants.put(claim.instanceId(), new Claimant(instance, this.clock.instant()));
		return verified(instance);
	}

	private static Verification verified(ServiceInstance instance) {
		return new Verification.Verified(Optional.of(instance));
	}

	/**
	 * Looks an instance up in the registry, or shares the last look-up.
	 * @return the instance or an empty optional; completes empty when the limit is
	 * exceeded; fails when the registry does not answer, which is logged
	 */
	private Mono<Optional<ServiceInstance>> find(String instanceId, TokenBucket limit) {
		synchronized (this.lookups) {
			Instant now = this.clock.instant();
			Lookup last = this.lookups.get(instanceId);
			if (last != null && !last.isOver(now)) {
				return last.result;
			}
			if (!limit.take()) {
				return Mono.empty();
			}
			this.lookups.values().removeIf((each) -> each.isOver(now));
			Lookup next = new Lookup(instanceId, now);
			this.lookups.put(instanceId, next);
			return next.result;
		}
	}

	private void onAnswer() {
		if (this.registrySilent.compareAndSet(true, false)) {
			logger.info("The registry answers again");
		}
	}

	private void onFailure(Throwable error) {
		if (this.registrySilent.compareAndSet(false, true)) {
			logger.warn("The registry does not answer ({}): instances not verified before cannot be warmed",
					error.getMessage());
		}
		logger.debug("The registry look-up failed", error);
	}

	/** The number of claimants and look-ups held in memory. */
	int size() {
		synchronized (this.lookups) {
			return this.claimants.size() + this.lookups.size();
		}
	}

	/** A verified instance, and when it was last looked up. */
	private record Claimant(ServiceInstance instance, Instant checkedAt) {

	}

	/** In order of access, so that the claimant unused for longest is dropped first. */
	private static final class Claimants extends LinkedHashMap<String, Claimant> {

		private static final long serialVersionUID = 1L;

		Claimants() {
			super(16, 0.75f, true);
		}

		@Override
		protected boolean removeEldestEntry(Map.Entry<String, Claimant> eldest) {
			return size() > MAX_CLAIMANTS;
		}

	}

	/** One look-up, whose result all claims share until it is over. */
	private final class Lookup {

		/** Cached, so it goes on for the others when the first subscriber cancels. */
		private final Mono<Optional<ServiceInstance>> result;

		private volatile Instant end;

		Lookup(String instanceId, Instant now) {
			this.end = now.plus(LOOKUP_TIMEOUT).plus(LOOKUP_TTL);
			this.result = Mono.defer(() -> RegistryClaimVerifier.this.lookup.find(instanceId))
				.timeout(LOOKUP_TIMEOUT)
				.doOnNext((found) -> onAnswer())
				.doOnError(RegistryClaimVerifier.this::onFailure)
				.doOnTerminate(() -> this.end = RegistryClaimVerifier.this.clock.instant().plus(LOOKUP_TTL))
				.cache();
		}

		boolean isOver(Instant now) {
			return now.isAfter(this.end);
		}

	}

	/** Limits the rate of look-ups, with a burst after a pause. Thread-safe. */
	private static final class TokenBucket {

		private final Clock clock;

		private double left = LOOKUP_BURST;

		private Instant filled;

		TokenBucket(Clock clock) {
			this.clock = clock;
			this.filled = clock.instant();
		}

		synchronized boolean take() {
			Instant now = this.clock.instant();
			Duration passed = Duration.between(this.filled, now);
			if (!passed.isNegative()) {
				this.left = Math.min(LOOKUP_BURST, this.left + LOOKUPS_PER_SECOND * passed.toNanos() / 1e9);
			}
			this.filled = now;
			if (this.left < 1) {
				return false;
			}
			this.left--;
			return true;
		}

	}

}
