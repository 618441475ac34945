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
import java.util.function.Supplier;

import dev.warmup.protocol.Instance;
import dev.warmup.protocol.SignedClaim;
import dev.warmup.protocol.WarmupClaim;
import dev.warmup.protocol.WarmupKey;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.cloud.client.ServiceInstance;
import org.springframework.util.ConcurrentLruCache;

/**
 * Accepts a claim that was signed with the key that the claimant published in discovery.
 * The last 1000 claimants are remembered, and each is looked up again every 30 seconds
 * without delaying its requests.
 * <p>
 * Forged claims cannot flood the registry. At most one look-up of an instance is in
 * flight, and its result counts for a second. All look-ups together are limited to five a
 * second, with a burst of 20, for unknown instances, and to as many for known instances
 * whose published key is another, as after a restart under the same id. Beyond that, all
 * share one request a second for what changed lately in the registry, so that a flood
 * keeps out neither a new claimant nor one that restarted.
 * <p>
 * Nor can they use up the processor. Signatures of tokens that were not verified before
 * are limited to 20 a second in the name of one instance, with a burst of 100, and to 200
 * in all, with a burst of 400. So a flood in the name of one instance keeps out no other.
 * Beyond that a claim is unavailable, since it may be true. Thread-safe.
 */
final class RegistryClaimVerifier implements ClaimVerifier {

	private static final Logger logger = LoggerFactory.getLogger(RegistryClaimVerifier.class);

	private static final int MAX_CLAIMANTS = 1000;

	/** Of instances that are not claimants yet, and of forged claims in their name. */
	private static final int MAX_PUBLISHED = 20;

	private static final Duration RECHECK_INTERVAL = Duration.ofSeconds(30);

	private static final Duration LOOKUP_TIMEOUT = Duration.ofSeconds(5);

	private static final Duration LOOKUP_TTL = Duration.ofSeconds(1);

	private static final int LOOKUPS_PER_SECOND = 5;

	private static final int LOOKUP_BURST = 20;

	/** A seventh of a processor, where one takes 0.7 ms (JDK 25; 1.2 ms on JDK 17). */
	private static final int SIGNATURES_PER_SECOND = 200;

	private static final int SIGNATURE_BURST = 400;

	/** A tenth of all, so that it takes ten instances' names to use those up. */
	private static final int SIGNATURES_OF_ONE = 20;

	/** As many tokens as a key remembers. */
	private static final int SIGNATURE_BURST_OF_ONE = 100;

	private final InstanceLookup lookup;

	private final Optional<WarmupKey> shared;

	private final Instance.Source self;

	private final Clock wallClock;

	private final Clock clock;

	/** In order of access, so that the claimant unused for longest is dropped first. */
	private final Map<String, Claimant> claimants = Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {

		@Override
		protected boolean removeEldestEntry(Map.Entry<String, Claimant> eldest) {
			return size() > MAX_CLAIMANTS;
		}

	});

	/**
	 * Keys by the JWK that instances publish; those of claimants are remembered with
	 * them.
	 */
	private final ConcurrentLruCache<String, Optional<WarmupKey>> published = new ConcurrentLruCache<>(MAX_PUBLISHED,
			WarmupKey::published);

	/** Guarded by itself; the rate limits bound its size. */
	private final Map<String, Lookup<Optional<ServiceInstance>>> lookups = new HashMap<>();

	/** Guarded by {@link #lookups}. */
	private @Nullable Lookup<Map<String, ServiceInstance>> recent;

	private final TokenBucket forUnknown;

	private final TokenBucket forKnown;

	private final TokenBucket signatures;

	/** By the id of the claimant. */
	private final ConcurrentLruCache<String, TokenBucket> signaturesOfOne;

	private final AtomicBoolean registrySilent = new AtomicBoolean();

	/**
	 * Creates the verifier.
	 * @param shared the key that services and gateways share, if any: it proves a claim
	 * whatever the claimant published
	 * @param wallClock dates claims
	 * @param clock measures the age of what is remembered
	 */
	RegistryClaimVerifier(InstanceLookup lookup, Optional<WarmupKey> shared, Instance.Source self, Clock wallClock,
			Clock clock) {
		this.lookup = lookup;
		this.shared = shared;
		this.self = self;
		this.wallClock = wallClock;
		this.clock = clock;
		this.forUnknown = new TokenBucket(clock, LOOKUPS_PER_SECOND, LOOKUP_BURST);
		this.forKnown = new TokenBucket(clock, LOOKUPS_PER_SECOND, LOOKUP_BURST);
		this.signatures = new TokenBucket(clock, SIGNATURES_PER_SECOND, SIGNATURE_BURST);
		this.signaturesOfOne = new ConcurrentLruCache<>(MAX_CLAIMANTS,
				(instanceId) -> new TokenBucket(clock, SIGNATURES_OF_ONE, SIGNATURE_BURST_OF_ONE));
	}

	@Override
	public Mono<Verification> verify(WarmupClaim claim, SignedClaim.Scope scope) {
		return Mono
			.defer(() -> claim.read(scope, this.self.get(), this.wallClock.instant())
				.map((content) -> verify(presented(content, claim.jwt().orElseThrow())))
				.orElseGet(() -> Mono.just(new Verification.Rejected())))
			.doOnError(this::onFailure)
			.onErrorReturn(new Verification.Unavailable());
	}

	private Presented presented(SignedClaim content, String jwt) {
		return new Presented(content, jwt, this.shared.filter((key) -> key.verifies(jwt)).isPresent());
	}

	private Mono<Verification> verify(Presented claim) {
		Optional<Claimant> remembered = Optional.ofNullable(this.claimants.get(claim.instanceId()));
		// the local copy may be older than what is remembered of a claimant
		Optional<Claimant> known = remembered
			.or(() -> this.lookup.known(claim.instanceId()).flatMap((instance) -> claimant(claim, instance)));
		Verification verification = check(claim, known);
		if (verification instanceof Verification.Verified) {
			if (remembered.isEmpty()) {
				this.claimants.put(claim.instanceId(), known.orElseThrow());
			}
			remembered.filter(this::isDue).ifPresent((due) -> recheck(claim, due));
		}
		if (!(verification instanceof Verification.Rejected)) {
			return Mono.just(verification);
		}
		boolean unknown = remembered.isEmpty() && this.lookup.known(claim.instanceId()).isEmpty() && !claim.isShared();
		return find(claim.instanceId(), unknown ? this.forUnknown : this.forKnown)
			.switchIfEmpty(Mono.defer(() -> findAmongRecent(claim.instanceId())))
			.defaultIfEmpty(Optional.empty())
			.map((found) -> judge(claim, found, known.map(Claimant::key)));
	}

	/** By the instance as it was found, whose key may be the one that failed already. */
	private Verification judge(Presented claim, Optional<ServiceInstance> found, Optional<WarmupKey> failed) {
		if (claim.isShared() && found.isEmpty()) {
			// a mark is true without an instance; all else is for the instance alone
			return (claim.content().scope() == SignedClaim.Scope.MARK)
					? new Verification.Verified(claim.content(), found) : new Verification.Unavailable();
		}
		Optional<Claimant> claimant = found.flatMap((instance) -> claimant(claim, instance))
			.filter((each) -> failed.filter((key) -> key.jwk().equals(each.key().jwk())).isEmpty());
		Verification verification = check(claim, claimant);
		if (verification instanceof Verification.Verified) {
			this.claimants.put(claim.instanceId(), claimant.orElseThrow());
		}
		return verification;
	}

	/** The instance as a claimant, if it has a key by which the claim may be verified. */
	private Optional<Claimant> claimant(Presented claim, ServiceInstance instance) {
		Optional<WarmupKey> key = claim.isShared() ? this.shared
				: InstanceAddress.key(instance).flatMap(this.published::get);
		return key.map((each) -> new Claimant(instance, each, this.clock.instant(), false));
	}

	/**
	 * Whether the claimant's key, or the shared secret, signed the claim. A token that
	 * was verified before is looked up, and not limited.
	 */
	private Verification check(Presented claim, Optional<Claimant> claimant) {
		if (claimant.isEmpty()) {
			return new Verification.Rejected();
		}
		WarmupKey key = claimant.get().key();
		if (!claim.isShared()) {
			if (!key.hasVerified(claim.jwt())
					&& !(this.signaturesOfOne.get(claim.instanceId()).take() && this.signatures.take())) {
				return new Verification.Unavailable(); // too many others to verify
			}
			if (!key.verifies(claim.jwt())) {
				return new Verification.Rejected();
			}
		}
		return new Verification.Verified(claim.content(), Optional.of(claimant.get().instance()));
	}

	private boolean isDue(Claimant claimant) {
		return this.clock.instant().isAfter(claimant.checkedAt().plus(RECHECK_INTERVAL));
	}

	/**
	 * Looks the claimant up again in the background, and keeps it while the registry does
	 * not answer. Its key is not limited: it verifies claims that are known to be true.
	 */
	private void recheck(Presented claim, Claimant due) {
		Optional<Claimant> known = this.lookup.known(claim.instanceId())
			.flatMap((instance) -> confirmed(claim, instance));
		Claimant kept = new Claimant(due.instance(), due.key(), this.clock.instant(), due.missing());
		this.claimants.put(claim.instanceId(), known.orElse(kept));
		if (known.isEmpty()) {
			find(claim.instanceId(), this.forKnown).onErrorComplete()
				.subscribe((found) -> rechecked(claim, kept, found));
		}
	}

	/**
	 * A registry that was restarted has an instance again after its next heartbeat. Until
	 * then its claims are true, and not to be served as users' requests.
	 */
	private void rechecked(Presented claim, Claimant kept, Optional<ServiceInstance> found) {
		Optional<Claimant> next = found.isPresent() ? found.flatMap((instance) -> confirmed(claim, instance))
				: Optional.of(kept)
					.filter((each) -> !each.missing())
					.map((each) -> new Claimant(each.instance(), each.key(), each.checkedAt(), true));
		next.ifPresentOrElse((claimant) -> this.claimants.put(claim.instanceId(), claimant),
				() -> this.claimants.remove(claim.instanceId()));
	}

	private Optional<Claimant> confirmed(Presented claim, ServiceInstance instance) {
		return claimant(claim, instance).filter((each) -> each.key().verifies(claim.jwt()));
	}

	/**
	 * Looks an instance up in the registry, or shares the last look-up.
	 * @return the instance or an empty optional; completes empty when the limit is
	 * exceeded; fails when the registry does not answer, which is logged
	 */
	private Mono<Optional<ServiceInstance>> find(String instanceId, TokenBucket limit) {
		synchronized (this.lookups) {
			Instant now = this.clock.instant();
			Lookup<Optional<ServiceInstance>> last = this.lookups.get(instanceId);
			if (last != null && !last.isOver(now)) {
				return last.result;
			}
			if (!limit.take()) {
				return Mono.empty();
			}
			this.lookups.values().removeIf((each) -> each.isOver(now));
			Lookup<Optional<ServiceInstance>> next = new Lookup<>(() -> this.lookup.find(instanceId), now);
			this.lookups.put(instanceId, next);
			return next.result;
		}
	}

	/** Shares one request a second, which does not depend on who asks. */
	private Mono<Optional<ServiceInstance>> findAmongRecent(String instanceId) {
		synchronized (this.lookups) {
			Instant now = this.clock.instant();
			if (this.recent == null || this.recent.isOver(now)) {
				this.recent = new Lookup<>(this.lookup::recent, now);
			}
			return this.recent.result.map((instances) -> Optional.ofNullable(instances.get(instanceId)));
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

	/**
	 * A claim that is meant for this receiver, whose signature is to be verified.
	 *
	 * @param isShared whether the shared secret proves it
	 */
	private record Presented(SignedClaim content, String jwt, boolean isShared) {

		String instanceId() {
			return this.content.issuer();
		}

	}

	/**
	 * A verified instance, its key, when it was last looked up, and whether the registry
	 * did not have it then.
	 */
	private record Claimant(ServiceInstance instance, WarmupKey key, Instant checkedAt, boolean missing) {

	}

	/** One look-up, whose result all claims share until it is over. */
	private final class Lookup<T> {

		/** Cached, so it goes on for the others when the first subscriber cancels. */
		private final Mono<T> result;

		private volatile Instant end;

		Lookup(Supplier<Mono<T>> request, Instant now) {
			this.end = now.plus(LOOKUP_TIMEOUT).plus(LOOKUP_TTL);
			this.result = Mono.defer(request)
				.timeout(LOOKUP_TIMEOUT)
				.doOnNext((found) -> onAnswer())
				.doOnError(RegistryClaimVerifier.this::onFailure)
				.doOnTerminate(() -> this.end = RegistryClaimVerifier.this.clock.instant().plus(LOOKUP_TTL))
				.cache();
		}

		boolean isOver(Instant now) {
			return !now.isBefore(this.end);
		}

	}

	/** Limits a rate, with a burst after a pause. Thread-safe. */
	private static final class TokenBucket {

		private final Clock clock;

		private final int perSecond;

		private final int burst;

		private double left;

		private Instant filled;

		TokenBucket(Clock clock, int perSecond, int burst) {
			this.clock = clock;
			this.perSecond = perSecond;
			this.burst = burst;
			this.left = burst;
			this.filled = clock.instant();
		}

		synchronized boolean take() {
			Instant now = this.clock.instant();
			Duration passed = Duration.between(this.filled, now);
			if (!passed.isNegative()) {
				this.left = Math.min(this.burst, this.left + this.perSecond * passed.toNanos() / 1e9);
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
