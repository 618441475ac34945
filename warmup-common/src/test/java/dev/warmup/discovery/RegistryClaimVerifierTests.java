package dev.warmup.discovery;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import dev.warmup.CapturedLog;
import dev.warmup.MutableClock;
import dev.warmup.WarmupContext;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.SignedClaim;
import dev.warmup.protocol.WarmupClaim;
import dev.warmup.protocol.WarmupKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;

import org.springframework.cloud.client.DefaultServiceInstance;
import org.springframework.cloud.client.ServiceInstance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

class RegistryClaimVerifierTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	private static final ClaimVerifier.Verification REJECTED = new ClaimVerifier.Verification.Rejected();

	private static final ClaimVerifier.Verification UNAVAILABLE = new ClaimVerifier.Verification.Unavailable();

	private static final Instance GATEWAY = new Instance("gateway", "gateway-1");

	private final MutableClock clock = new MutableClock();

	private final CountingLookup lookup = new CountingLookup();

	private final RegistryClaimVerifier verifier = new RegistryClaimVerifier(this.lookup, Optional.empty(),
			() -> GATEWAY, this.clock, this.clock);

	private final WarmupKey key = WarmupKey.generate(this.clock);

	private final WarmupKey other = WarmupKey.generate(this.clock);

	private final WarmupClaim forged = claim("external-client", this.other);

	private final WarmupKey secret = WarmupKey.shared("a secret of services and gateways", this.clock);

	private final RegistryClaimVerifier sharing = new RegistryClaimVerifier(this.lookup, Optional.of(this.secret),
			() -> GATEWAY, this.clock, this.clock);

	@Test
	void onlyClaimsSignedByThePublishedKeyAreAccepted() {
		this.lookup.register("chat-1", jwk(this.key));
		assertThat(verify("chat-1", this.other)).isEqualTo(REJECTED);
		assertThat(verify(this.verifier, new WarmupClaim("chat-1", Optional.empty(), "r"))).isEqualTo(REJECTED);
		assertVerified("chat-1");
		this.lookup.register("chat-2", jwk(this.key));
		this.lookup.fetch();
		this.lookup.known("chat-2").orElseThrow().getMetadata().clear();
		assertThat(verify("chat-2", this.key)).as("without a key").isEqualTo(REJECTED);
	}

	@Test
	void claimantIsLookedUpOnceAndNotAtAllIfTheLocalCopyHasIt() {
		this.lookup.register("chat-1", jwk(this.key));
		this.lookup.fetch();
		assertVerified("chat-1");
		this.clock.advance(Duration.ofMinutes(1));
		assertVerified("chat-1");
		assertThat(this.lookup.lookups()).isZero();
		this.lookup.register("chat-2", jwk(this.key));
		IntStream.range(0, 1000).forEach((i) -> assertVerified("chat-2"));
		assertThat(this.lookup.lookups()).isEqualTo(1);
	}

	@Test
	void concurrentClaimsShareOneLookupThatGoesOnWhenTheFirstIsCanceled() {
		this.lookup.register("chat-1", jwk(this.key));
		Sinks.Empty<Void> answer = Sinks.empty();
		this.lookup.answerAfter(answer.asMono());
		Mono<ClaimVerifier.Verification> verification = this.verifier.verify(claim("chat-1", this.key),
				SignedClaim.Scope.REPLAY);
		StepVerifier.create(verification).thenCancel().verify(TIMEOUT);
		StepVerifier.create(Flux.range(0, 100).flatMap((i) -> verification, 100).collectList())
			.then(() -> answer.tryEmitEmpty().orThrow())
			.assertNext((results) -> assertThat(results).hasSize(100)
				.allSatisfy((each) -> assertThat(instance(each)).hasValue("chat-1")))
			.expectComplete()
			.verify(TIMEOUT);
		assertThat(this.lookup.lookups()).isEqualTo(1);
	}

	@Test
	void unknownInstanceIsLookedUpOnceASecond() {
		assertThat(verify("chat-1", this.key)).isEqualTo(REJECTED);
		assertThat(verify("chat-2", this.key)).isEqualTo(REJECTED);
		this.lookup.register("chat-1", jwk(this.key));
		assertThat(verify("chat-1", this.key)).isEqualTo(REJECTED);
		assertThat(this.lookup.lookups()).isEqualTo(2);
		this.clock.advance(Duration.ofMillis(1001));
		assertVerified("chat-1");
		assertThat(this.lookup.lookups()).isEqualTo(3);
	}

	@Test
	void instanceThatRestartedUnderTheSameIdIsVerifiedByItsNewKey() {
		this.lookup.register("chat-1", jwk(this.other));
		assertThat(instance(verify("chat-1", this.other))).isPresent();
		this.lookup.fetch();
		this.lookup.register("chat-1", jwk(this.key));
		this.clock.advance(Duration.ofSeconds(2));
		assertVerified("chat-1");
		assertThat(verify("chat-1", this.other)).isEqualTo(REJECTED);
	}

	@Test
	void registryThatFailsOrHangsMakesClaimsUnavailableAndIsQueriedAgainAfterASecond() {
		this.lookup.register("chat-1", jwk(this.key));
		this.lookup.answerAfter(Mono.error(new IllegalStateException("gone")));
		try (CapturedLog log = CapturedLog.of(RegistryClaimVerifier.class)) {
			assertThat(verify("chat-1", this.key)).isEqualTo(UNAVAILABLE);
			assertThat(log.lines()).hasSize(1);
			assertThat(verify("chat-1", this.key)).isEqualTo(UNAVAILABLE);
			assertThat(verify("chat-2", this.key)).isEqualTo(UNAVAILABLE);
			assertThat(this.lookup.lookups()).isEqualTo(2);
			this.lookup.answerAfter(Mono.empty());
			this.clock.advance(Duration.ofMillis(1001));
			assertVerified("chat-1");
			assertThat(log.lines()).satisfiesExactly(
					(failure) -> assertThat(failure).startsWith("WARN").contains("gone"),
					(recovery) -> assertThat(recovery).startsWith("INFO"));
		}
		this.lookup.answerAfter(Mono.never());
		StepVerifier.withVirtualTime(() -> this.verifier.verify(claim("chat-3", this.key), SignedClaim.Scope.REPLAY))
			.thenAwait(Duration.ofSeconds(5))
			.expectNext(UNAVAILABLE)
			.expectComplete()
			.verify(TIMEOUT);
	}

	@Test
	void lookupThatThrowsMakesClaimsUnavailable() {
		InstanceLookup broken = mock(InstanceLookup.class);
		given(broken.known("chat-1")).willThrow(new IllegalStateException("broken"));
		ClaimVerifier tested = new RegistryClaimVerifier(broken, Optional.empty(), () -> GATEWAY, this.clock,
				this.clock);
		try (CapturedLog log = CapturedLog.of(RegistryClaimVerifier.class)) {
			assertThat(verify(tested, "chat-1", this.key)).isEqualTo(UNAVAILABLE);
			assertThat(log.lines()).singleElement().asString().contains("broken");
		}
	}

	@Test
	void claimantIsRecheckedInTheBackgroundAndForgottenWhenItIsMissingTwice() {
		this.lookup.register("chat-1", jwk(this.key));
		assertVerified("chat-1");
		this.clock.advance(Duration.ofSeconds(31));
		Sinks.Empty<Void> answer = Sinks.empty();
		this.lookup.answerAfter(answer.asMono());
		this.lookup.unregister("chat-1");
		assertVerified("chat-1");
		assertVerified("chat-1");
		assertThat(this.lookup.lookups()).isEqualTo(2);
		answer.tryEmitEmpty().orThrow();
		this.lookup.answerAfter(Mono.empty());
		assertVerified("chat-1"); // a registry that was restarted would have it soon
		this.clock.advance(Duration.ofSeconds(31));
		assertVerified("chat-1");
		assertThat(this.lookup.lookups()).isEqualTo(3);
		assertThat(verify("chat-1", this.key)).isEqualTo(REJECTED);
	}

	@Test
	void claimantThatARestartedRegistryHasAgainIsKept() {
		this.lookup.register("chat-1", jwk(this.key));
		assertVerified("chat-1");
		for (int restarts = 0; restarts < 3; restarts++) {
			this.lookup.unregister("chat-1");
			this.clock.advance(Duration.ofSeconds(31));
			assertVerified("chat-1"); // looks it up
			assertVerified("chat-1");
			this.lookup.register("chat-1", jwk(this.key));
			this.clock.advance(Duration.ofSeconds(31));
			assertVerified("chat-1");
		}
	}

	@Test
	void claimantThatIsStillRegisteredIsRecheckedEveryThirtySeconds() {
		this.lookup.register("chat-1", jwk(this.key));
		assertVerified("chat-1");
		for (int checks = 1; checks < 5; checks++) {
			this.clock.advance(Duration.ofSeconds(29));
			assertVerified("chat-1");
			assertThat(this.lookup.lookups()).isEqualTo(checks);
			this.clock.advance(Duration.ofSeconds(2));
			assertVerified("chat-1");
			assertThat(this.lookup.lookups()).isEqualTo(checks + 1);
		}
	}

	@Test
	void claimantIsKeptWhileTheRegistryDoesNotAnswer() {
		this.lookup.register("chat-1", jwk(this.key));
		assertVerified("chat-1");
		this.lookup.answerAfter(Mono.error(new IllegalStateException("gone")));
		for (int minute = 0; minute < 10; minute++) {
			this.clock.advance(Duration.ofMinutes(1));
			assertVerified("chat-1");
		}
		assertThat(this.lookup.lookups()).isEqualTo(11);
	}

	@Test
	void claimantsAreForgottenBeyondAThousand() {
		IntStream.range(0, 1500).forEach((i) -> this.lookup.register("chat-" + i, "not needed for a shared secret"));
		this.lookup.fetch();
		IntStream.range(0, 1500)
			.forEach((i) -> assertThat(instance(verify(this.sharing, "chat-" + i, this.secret))).hasValue("chat-" + i));
		assertThat(this.sharing.size()).isEqualTo(1000);
	}

	@Test
	void sharedSecretIsAcceptedWhateverIsPublished() {
		this.lookup.register("chat-1", jwk(this.other));
		assertThat(instance(verify(this.sharing, "chat-1", this.secret))).hasValue("chat-1");
		assertThat(instance(verify(this.sharing, "chat-1", this.other))).hasValue("chat-1");
		assertThat(verify(this.sharing, "chat-2", this.secret)).as("not registered yet").isEqualTo(UNAVAILABLE);
		assertThat(result(this.sharing.verify(this.secret.mark("chat-2", "gateway", new WarmupContext("a", "r")),
				SignedClaim.Scope.MARK)))
			.as("a mark")
			.isInstanceOf(ClaimVerifier.Verification.Verified.class);
		assertThat(verify(this.sharing, "chat-2", this.other)).isEqualTo(REJECTED);
		assertThat(IntStream.range(0, 100).mapToObj((i) -> verify(this.sharing, "new-" + i, this.secret)))
			.as("beyond the rate limit")
			.contains(UNAVAILABLE)
			.allMatch((each) -> each.equals(UNAVAILABLE) || each instanceof ClaimVerifier.Verification.Verified);
	}

	@Test
	void claimantUnusedForLongestIsForgottenFirst() {
		IntStream.range(0, 1001).forEach((i) -> this.lookup.register("chat-" + i, "not needed for a shared secret"));
		this.lookup.fetch();
		IntStream.range(0, 1000).forEach((i) -> verify(this.sharing, "chat-" + i, this.secret));
		verify(this.sharing, "chat-0", this.secret);
		verify(this.sharing, "chat-1000", this.secret);
		IntStream.range(0, 1001).forEach((i) -> this.lookup.unregister("chat-" + i));
		this.lookup.fetch();
		assertThat(verify(this.sharing, "chat-1", this.secret)).isEqualTo(UNAVAILABLE);
		assertThat(instance(verify(this.sharing, "chat-0", this.secret))).hasValue("chat-0");
	}

	@Test
	void recheckedClaimantIsThatOfTheLocalCopy() {
		this.lookup.register("chat-1", jwk(this.key));
		this.lookup.fetch();
		assertVerified("chat-1");
		this.lookup.register("chat-1", jwk(this.key)); // with other metadata, for example
		this.lookup.fetch();
		this.clock.advance(Duration.ofSeconds(31));
		assertVerified("chat-1");
		assertThat(verify("chat-1", this.key)).isInstanceOfSatisfying(ClaimVerifier.Verification.Verified.class,
				(verified) -> assertThat(verified.instance().orElseThrow())
					.isSameAs(this.lookup.known("chat-1").orElseThrow()));
	}

	@Test
	void floodInTheNameOfUnknownInstancesUsesUpNoLookupsForTheSharedSecret() {
		for (int i = 0; i < 250; i++) {
			verify(this.sharing, "forged-" + i, this.other);
		}
		this.lookup.register("chat-1", jwk(this.other));
		assertThat(instance(verify(this.sharing, "chat-1", this.secret))).hasValue("chat-1");
	}

	@Test
	void floodInTheNameOfUnknownInstancesUsesUpNoLookupsOfRememberedOnes() {
		this.lookup.register("chat-1", jwk(this.other));
		assertThat(instance(verify("chat-1", this.other))).isPresent();
		this.clock.advance(Duration.ofSeconds(2));
		flood(0);
		this.lookup.register("chat-1", jwk(this.key));
		assertVerified("chat-1");
	}

	@Test
	void withoutDiscoveryOnlyTheSharedSecretIsAccepted() {
		ClaimVerifier shared = ClaimVerifier.shared(Optional.of(this.secret), () -> GATEWAY, this.clock);
		assertThat(verify(shared, "chat-1", this.secret)).isInstanceOfSatisfying(
				ClaimVerifier.Verification.Verified.class, (verified) -> assertThat(verified.instance()).isEmpty());
		assertThat(verify(shared, "chat-1", this.key)).isEqualTo(REJECTED);
		assertThat(result(shared.verify(claim("chat-1", this.secret), SignedClaim.Scope.REPORT))).isEqualTo(REJECTED);
		assertThat(verify(shared, new WarmupClaim("chat-1", Optional.empty(), "r"))).isEqualTo(REJECTED);
		ClaimVerifier none = ClaimVerifier.shared(Optional.empty(), () -> GATEWAY, this.clock);
		assertThat(verify(none, "chat-1", this.secret)).isEqualTo(REJECTED);
	}

	@ParameterizedTest
	@EnumSource(SignedClaim.Scope.class)
	void claimServesOnePurpose(SignedClaim.Scope scope) {
		this.lookup.register("chat-1", jwk(this.key));
		WarmupClaim claim = this.key.claim("chat-1", "gateway-1", scope, "r");
		for (SignedClaim.Scope other : SignedClaim.Scope.values()) {
			assertThat(instance(result(this.verifier.verify(claim, other))).isPresent()).as(other.name())
				.isEqualTo(other == scope);
		}
	}

	@Test
	void claimServesOneReceiverOneRunOneInstanceAndTwoMinutes() {
		this.lookup.register("chat-1", jwk(this.key));
		this.lookup.register("chat-2", jwk(this.key));
		WarmupClaim elsewhere = this.key.claim("chat-1", "gateway-2", SignedClaim.Scope.REPLAY, "r");
		assertThat(verify(this.verifier, elsewhere)).isEqualTo(REJECTED);
		WarmupClaim claim = claim("chat-1", this.key);
		WarmupClaim ofAnother = new WarmupClaim("chat-2", claim.jwt(), "r");
		assertThat(verify(this.verifier, ofAnother)).isEqualTo(REJECTED);
		WarmupClaim ofAnotherRun = new WarmupClaim("chat-1", claim.jwt(), "r-2");
		assertThat(verify(this.verifier, ofAnotherRun)).isEqualTo(REJECTED);
		assertVerified("chat-1");
		this.clock.advance(Duration.ofSeconds(151)); // with the leeway of clocks
		assertThat(verify(this.verifier, claim)).isEqualTo(REJECTED);
		assertVerified("chat-1");
	}

	@Test
	void forgedClaimsOfAKnownInstanceCauseOneLookupASecond() {
		this.lookup.register("chat-1", jwk(this.key));
		this.lookup.fetch();
		assertVerified("chat-1");
		for (int second = 0; second < 10; second++) {
			IntStream.range(0, 20).forEach((i) -> assertThat(forge("chat-1")).isEqualTo(REJECTED));
			this.clock.advance(Duration.ofMillis(1001));
		}
		assertThat(this.lookup.lookups()).isEqualTo(10);
		assertVerified("chat-1");
	}

	@Test
	void forgedClaimsCauseFiveLookupsASecondAfterTwentyAndLeaveNothingInMemory() {
		int perSecond = 500;
		for (int i = 0; i < 10 * perSecond; i++) {
			assertThat(forge("forged-" + i)).isEqualTo(REJECTED);
			assertThat(this.verifier.size()).isLessThanOrEqualTo(50);
			this.clock.advance(Duration.ofSeconds(1).dividedBy(perSecond));
		}
		assertThat(this.lookup.lookups()).isBetween(20, 20 + 5 * 10);
	}

	@Test
	void forgedClaimsOfManyKnownInstancesCauseFiveLookupsASecondAfterTwenty() {
		IntStream.range(0, 250).forEach((i) -> this.lookup.register("chat-" + i, jwk(this.key)));
		this.lookup.fetch();
		for (int i = 0; i < 500; i++) {
			assertThat(forge("chat-" + i % 250)).isEqualTo(REJECTED);
			this.clock.advance(Duration.ofMillis(20));
		}
		assertThat(this.lookup.lookups()).isBetween(20, 20 + 5 * 10);
	}

	@Test
	void restartUnderAKnownIdIsVerifiedWhileAFloodUsesUpTheLookups() {
		IntStream.range(0, 250).forEach((i) -> this.lookup.register("chat-" + i, jwk(this.other)));
		this.lookup.fetch();
		IntStream.range(1, 250).forEach((i) -> assertThat(forge("chat-" + i)).isEqualTo(REJECTED));
		this.lookup.register("chat-0", jwk(this.key));
		this.clock.advance(Duration.ofSeconds(1));
		IntStream.range(1, 7).forEach((i) -> assertThat(forge("chat-" + i)).isEqualTo(REJECTED));
		assertVerified("chat-0");
		assertThat(this.lookup.lookups()).isEqualTo(25);
	}

	@Test
	void floodInTheNameOfUnknownInstancesUsesUpNoLookupsOfKnownOnes() {
		this.lookup.register("chat-1", jwk(this.other));
		this.lookup.fetch();
		flood(0);
		this.lookup.register("chat-1", jwk(this.key));
		assertVerified("chat-1");
	}

	@Test
	void signaturesAreLimitedExceptThoseThatWereVerifiedBefore() {
		IntStream.range(0, 6).forEach((i) -> this.lookup.register("chat-" + i, jwk(this.key)));
		this.lookup.fetch();
		assertVerified("chat-0");
		for (int instance = 0; instance < 4; instance++) {
			String id = "chat-" + instance;
			IntStream.range((instance == 0) ? 1 : 0, 100).forEach((i) -> assertThat(forge(id)).isEqualTo(REJECTED));
		}
		assertThat(forge("chat-4")).isEqualTo(UNAVAILABLE);
		assertVerified("chat-0");
		assertThat(verify("chat-5", this.key)).as("a new token").isEqualTo(UNAVAILABLE);
		this.clock.advance(Duration.ofMillis(10));
		assertVerified("chat-5");
		assertThat(forge("chat-4")).isEqualTo(REJECTED);
		assertThat(forge("chat-4")).isEqualTo(UNAVAILABLE);
	}

	@Test
	void forgedClaimCostsOneSignatureHoweverManyKeysArePublished() {
		for (int i = 0; i < 30; i++) {
			WarmupKey own = WarmupKey.generate(this.clock);
			this.lookup.register("chat-" + i, jwk(own));
			assertThat(instance(verify("chat-" + i, own))).isPresent();
			this.clock.advance(Duration.ofSeconds(1));
		}
		IntStream.range(0, 100).forEach((i) -> assertThat(forge("chat-0")).isEqualTo(REJECTED));
		assertThat(forge("chat-0")).isEqualTo(UNAVAILABLE);
	}

	@Test
	void floodInTheNameOfOneInstanceKeepsOutNoOther() {
		IntStream.range(0, 101).forEach((i) -> this.lookup.register("chat-" + i, jwk(this.key)));
		this.lookup.fetch();
		for (int i = 1; i <= 100; i++) {
			IntStream.range(0, 100).forEach((forged) -> forge("chat-0"));
			assertVerified("chat-" + i);
			this.clock.advance(Duration.ofMillis(50));
		}
	}

	@Test
	void floodDelaysNewClaimantsByASecondAtMost() {
		this.lookup.register("remembered", jwk(this.key));
		assertVerified("remembered");
		this.lookup.register("known", jwk(this.key));
		this.lookup.fetch();
		for (int second = 0; second < 10; second++) {
			String id = "new-" + second;
			flood(second);
			this.lookup.register(id, jwk(this.key));
			verify(id, this.key);
			this.clock.advance(Duration.ofSeconds(1));
			flood(second);
			assertVerified(id);
			assertVerified("remembered");
			assertVerified("known");
		}
		assertThat(this.lookup.requestsForRecent()).isBetween(1, 11);
		assertThat(this.lookup.lookups()).isLessThan(20 + 5 * 12);
	}

	private void flood(int second) {
		for (int i = 0; i < 250; i++) {
			assertThat(forge("forged-%d-%d".formatted(second, i))).isEqualTo(REJECTED);
		}
	}

	private void assertVerified(String instanceId) {
		assertThat(instance(verify(instanceId, this.key))).hasValue(instanceId);
	}

	private ClaimVerifier.Verification verify(String instanceId, WarmupKey signer) {
		return verify(this.verifier, instanceId, signer);
	}

	private static ClaimVerifier.Verification verify(ClaimVerifier tested, String instanceId, WarmupKey signer) {
		return verify(tested, claim(instanceId, signer));
	}

	private static ClaimVerifier.Verification verify(ClaimVerifier tested, WarmupClaim claim) {
		return result(tested.verify(claim, SignedClaim.Scope.REPLAY));
	}

	/** As an external client does that has one token and writes other names into it. */
	private ClaimVerifier.Verification forge(String instanceId) {
		String[] parts = this.forged.jwt().orElseThrow().split("\\.");
		String content = new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8)
			.replace(this.forged.instanceId(), instanceId);
		parts[1] = Base64.getUrlEncoder().withoutPadding().encodeToString(content.getBytes(StandardCharsets.UTF_8));
		WarmupClaim claim = new WarmupClaim(instanceId, Optional.of(String.join(".", parts)), this.forged.runId());
		assertThat(claim.read(SignedClaim.Scope.REPLAY, GATEWAY, this.clock.instant())).isPresent();
		return verify(this.verifier, claim);
	}

	private static WarmupClaim claim(String instanceId, WarmupKey signer) {
		return signer.claim(instanceId, "gateway-1", SignedClaim.Scope.REPLAY, "r");
	}

	private static String jwk(WarmupKey key) {
		return key.jwk().orElseThrow();
	}

	/** The result that is available at once. */
	private static ClaimVerifier.Verification result(Mono<ClaimVerifier.Verification> verification) {
		return verification.toFuture().getNow(null);
	}

	private static Optional<String> instance(ClaimVerifier.Verification verification) {
		return (verification instanceof ClaimVerifier.Verification.Verified verified)
				? verified.instance().map(ServiceInstance::getInstanceId) : Optional.empty();
	}

	/** A registry in memory that counts the look-ups. */
	private static final class CountingLookup implements InstanceLookup {

		private final Map<String, ServiceInstance> registry = new ConcurrentHashMap<>();

		private final Map<String, ServiceInstance> localCopy = new ConcurrentHashMap<>();

		private final AtomicInteger lookups = new AtomicInteger();

		private final AtomicInteger recent = new AtomicInteger();

		private volatile Mono<Void> before = Mono.empty();

		/** Registers an instance that published a key, as of now. */
		void register(String instanceId, String jwk) {
			this.registry.put(instanceId, instance(instanceId, jwk));
		}

		void unregister(String instanceId) {
			this.registry.remove(instanceId);
		}

		/** Brings the local copy up to date. */
		void fetch() {
			this.localCopy.clear();
			this.localCopy.putAll(this.registry);
		}

		/** Delays each answer until this signal, or fails with it. */
		void answerAfter(Mono<Void> signal) {
			this.before = signal;
		}

		int lookups() {
			return this.lookups.get();
		}

		@Override
		public Mono<Optional<ServiceInstance>> find(String instanceId) {
			return Mono.defer(() -> {
				this.lookups.incrementAndGet();
				return this.before.then(Mono.fromCallable(() -> Optional.ofNullable(this.registry.get(instanceId))));
			});
		}

		int requestsForRecent() {
			return this.recent.get();
		}

		@Override
		public Mono<Map<String, ServiceInstance>> recent() {
			return Mono.fromSupplier(() -> {
				this.recent.incrementAndGet();
				return Map.copyOf(this.registry);
			});
		}

		@Override
		public Optional<ServiceInstance> known(String instanceId) {
			return Optional.ofNullable(this.localCopy.get(instanceId));
		}

		private static ServiceInstance instance(String instanceId, String jwk) {
			return new DefaultServiceInstance(instanceId, "chat", "localhost", 8080, false,
					new HashMap<>(Map.of(WarmupKey.METADATA_KEY, jwk)));
		}

	}

}
