package dev.warmup.discovery;

import java.time.Duration;
import java.util.Optional;
import java.util.stream.IntStream;

import dev.warmup.CapturedLog;
import dev.warmup.MutableClock;
import dev.warmup.protocol.WarmupClaim;
import dev.warmup.protocol.WarmupToken;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;

import org.springframework.cloud.client.ServiceInstance;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class RegistryClaimVerifierTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	private static final String TOKEN = "token-of-the-tests";

	private static final String OTHER = "token-of-another";

	private static final Verification REJECTED = new Verification.Rejected();

	private static final Verification UNAVAILABLE = new Verification.Unavailable();

	private static final Verification SHARED = new Verification.Verified(Optional.empty());

	private final MutableClock clock = new MutableClock();

	private final CountingLookup lookup = new CountingLookup();

	private final RegistryClaimVerifier verifier = new RegistryClaimVerifier(this.lookup, Optional.empty(), this.clock);

	private final RegistryClaimVerifier sharing = new RegistryClaimVerifier(this.lookup,
			Optional.of(WarmupToken.of(TOKEN)), this.clock);

	@Test
	void onlyTheTokenOfThePublishedHashIsAccepted() {
		this.lookup.register("chat-1", TOKEN);
		assertThat(verify("chat-1", OTHER)).isEqualTo(REJECTED);
		assertThat(verify("chat-1", WarmupToken.of(TOKEN).sha256())).isEqualTo(REJECTED);
		assertThat(result(this.verifier.verify(new WarmupClaim("chat-1", Optional.empty(), "r")))).isEqualTo(REJECTED);
		assertVerified("chat-1");
	}

	@Test
	void instanceThatPublishedNoHashIsRejected() {
		this.lookup.register("chat-1", TOKEN);
		this.lookup.fetch();
		this.lookup.known("chat-1").orElseThrow().getMetadata().clear();
		assertThat(verify("chat-1", TOKEN)).isEqualTo(REJECTED);
	}

	@Test
	void claimantIsRemembered() {
		this.lookup.register("chat-1", TOKEN);
		IntStream.range(0, 1000).forEach((i) -> assertVerified("chat-1"));
		assertThat(this.lookup.lookups()).isEqualTo(1);
	}

	@Test
	void instanceInTheLocalCopyIsNotLookedUpNorIsItsRecheck() {
		this.lookup.register("chat-1", TOKEN);
		this.lookup.fetch();
		assertVerified("chat-1");
		this.clock.advance(Duration.ofMinutes(1));
		assertVerified("chat-1");
		assertThat(this.lookup.lookups()).isZero();
	}

	@Test
	void concurrentClaimsOfAnInstanceShareOneLookup() {
		this.lookup.register("chat-1", TOKEN);
		Sinks.Empty<Void> answer = Sinks.empty();
		this.lookup.answerAfter(answer.asMono());
		Flux<Verification> claims = Flux.range(0, 100)
			.flatMap((i) -> this.verifier.verify(claim("chat-1", TOKEN)), 100);
		StepVerifier.create(claims.collectList())
			.then(() -> answer.tryEmitEmpty().orThrow())
			.assertNext((results) -> assertThat(results).hasSize(100)
				.allSatisfy((each) -> assertThat(instance(each)).hasValue("chat-1")))
			.expectComplete()
			.verify(TIMEOUT);
		assertThat(this.lookup.lookups()).isEqualTo(1);
	}

	@Test
	void sharedLookupGoesOnWhenItsFirstSubscriberCancels() {
		this.lookup.register("chat-1", TOKEN);
		Sinks.Empty<Void> answer = Sinks.empty();
		this.lookup.answerAfter(answer.asMono());
		StepVerifier.create(this.verifier.verify(claim("chat-1", TOKEN))).thenCancel().verify(TIMEOUT);
		StepVerifier.create(this.verifier.verify(claim("chat-1", TOKEN)))
			.then(() -> answer.tryEmitEmpty().orThrow())
			.assertNext((verification) -> assertThat(instance(verification)).isPresent())
			.expectComplete()
			.verify(TIMEOUT);
		assertThat(this.lookup.lookups()).isEqualTo(1);
	}

	@Test
	void unknownInstanceIsLookedUpOnceASecond() {
		assertThat(verify("chat-1", TOKEN)).isEqualTo(REJECTED);
		this.lookup.register("chat-1", TOKEN);
		assertThat(verify("chat-1", TOKEN)).isEqualTo(REJECTED);
		assertThat(this.lookup.lookups()).isEqualTo(1);
		this.clock.advance(Duration.ofMillis(1001));
		assertVerified("chat-1");
		assertThat(this.lookup.lookups()).isEqualTo(2);
	}

	@Test
	void instanceThatRestartedUnderTheSameIdIsVerifiedByItsNewToken() {
		this.lookup.register("chat-1", OTHER);
		assertThat(instance(verify("chat-1", OTHER))).isPresent();
		this.lookup.fetch();
		this.lookup.register("chat-1", TOKEN);
		this.clock.advance(Duration.ofSeconds(2));
		assertVerified("chat-1");
		assertThat(verify("chat-1", OTHER)).isEqualTo(REJECTED);
	}

	@Test
	void registryThatFailsMakesClaimsUnavailableAndIsAskedAgainAfterASecond() {
		this.lookup.register("chat-1", TOKEN);
		this.lookup.answerAfter(Mono.error(new IllegalStateException("gone")));
		try (CapturedLog log = CapturedLog.of(RegistryClaimVerifier.class)) {
			assertThat(verify("chat-1", TOKEN)).isEqualTo(UNAVAILABLE);
			assertThat(verify("chat-1", TOKEN)).isEqualTo(UNAVAILABLE);
			assertThat(verify("chat-2", TOKEN)).isEqualTo(UNAVAILABLE);
			assertThat(this.lookup.lookups()).isEqualTo(2);
			this.lookup.answerAfter(Mono.empty());
			this.clock.advance(Duration.ofMillis(1001));
			assertVerified("chat-1");
			assertThat(log.lines()).satisfiesExactly(
					(failure) -> assertThat(failure).startsWith("WARN").contains("gone"),
					(recovery) -> assertThat(recovery).startsWith("INFO"));
		}
	}

	@Test
	void registryThatHangsMakesClaimsUnavailable() {
		this.lookup.answerAfter(Mono.never());
		StepVerifier.withVirtualTime(() -> this.verifier.verify(claim("chat-1", TOKEN)))
			.thenAwait(Duration.ofSeconds(5))
			.expectNext(UNAVAILABLE)
			.expectComplete()
			.verify(TIMEOUT);
	}

	@Test
	void claimantIsRecheckedInTheBackgroundAndForgottenWhenItIsGone() {
		this.lookup.register("chat-1", TOKEN);
		assertVerified("chat-1");
		this.clock.advance(Duration.ofSeconds(31));
		Sinks.Empty<Void> answer = Sinks.empty();
		this.lookup.answerAfter(answer.asMono());
		this.lookup.unregister("chat-1");
		assertVerified("chat-1");
		assertVerified("chat-1");
		assertThat(this.lookup.lookups()).isEqualTo(2);
		answer.tryEmitEmpty().orThrow();
		assertThat(verify("chat-1", TOKEN)).isEqualTo(REJECTED);
	}

	@Test
	void claimantIsKeptWhileTheRegistryDoesNotAnswer() {
		this.lookup.register("chat-1", TOKEN);
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
		IntStream.range(0, 3000).forEach((i) -> this.lookup.register("chat-" + i, TOKEN));
		this.lookup.fetch();
		IntStream.range(0, 3000).forEach((i) -> assertVerified("chat-" + i));
		assertThat(this.verifier.size()).isEqualTo(1000);
	}

	@Test
	void sharedTokenIsAcceptedWhateverIsPublished() {
		this.lookup.register("chat-1", OTHER);
		assertThat(instance(result(this.sharing.verify(claim("chat-1", TOKEN))))).hasValue("chat-1");
		assertThat(instance(result(this.sharing.verify(claim("chat-1", OTHER))))).hasValue("chat-1");
		assertThat(result(this.sharing.verify(claim("chat-2", TOKEN)))).isEqualTo(SHARED);
		assertThat(result(this.sharing.verify(claim("chat-2", OTHER)))).isEqualTo(REJECTED);
	}

	@Test
	void withoutDiscoveryOnlyTheSharedTokenIsAccepted() {
		ClaimVerifier shared = ClaimVerifier.sharedToken(Optional.of(WarmupToken.of(TOKEN)));
		assertThat(result(shared.verify(claim("chat-1", TOKEN)))).isEqualTo(SHARED);
		assertThat(result(shared.verify(claim("chat-1", OTHER)))).isEqualTo(REJECTED);
		assertThat(result(shared.verify(new WarmupClaim("chat-1", Optional.empty(), "r")))).isEqualTo(REJECTED);
		assertThat(result(ClaimVerifier.sharedToken(Optional.empty()).verify(claim("chat-1", TOKEN))))
			.isEqualTo(REJECTED);
	}

	@Test
	void forgedTokensOfAKnownInstanceCauseOneLookupASecond() {
		this.lookup.register("chat-1", TOKEN);
		this.lookup.fetch();
		assertVerified("chat-1");
		for (int second = 0; second < 10; second++) {
			IntStream.range(0, 100).forEach((i) -> assertThat(verify("chat-1", OTHER + i)).isEqualTo(REJECTED));
			this.clock.advance(Duration.ofMillis(1001));
		}
		assertThat(this.lookup.lookups()).isEqualTo(10);
		assertVerified("chat-1");
	}

	@Test
	void forgedClaimsCauseFiveLookupsASecondAfterTwentyAndLeaveNothingInMemory() {
		int perSecond = 20_000;
		for (int i = 0; i < 10 * perSecond; i++) {
			assertThat(verify("forged-" + i, TOKEN)).isEqualTo(REJECTED);
			assertThat(this.verifier.size()).isLessThanOrEqualTo(50);
			this.clock.advance(Duration.ofSeconds(1).dividedBy(perSecond));
		}
		assertThat(this.lookup.lookups()).isBetween(20, 20 + 5 * 10);
	}

	@Test
	void forgedTokensOfManyKnownInstancesCauseFiveLookupsASecondAfterTwenty() {
		IntStream.range(0, 1000).forEach((i) -> this.lookup.register("chat-" + i, TOKEN));
		this.lookup.fetch();
		for (int i = 0; i < 10_000; i++) {
			assertThat(verify("chat-" + i % 1000, OTHER)).isEqualTo(REJECTED);
			this.clock.advance(Duration.ofMillis(1));
		}
		assertThat(this.lookup.lookups()).isBetween(20, 20 + 5 * 10);
	}

	@Test
	void floodKeepsOutNewClaimantsForNoLongerThanItLasts() {
		this.lookup.register("remembered", TOKEN);
		assertVerified("remembered");
		this.lookup.register("known", TOKEN);
		this.lookup.fetch();
		IntStream.range(0, 1000).forEach((i) -> verify("forged-" + i, TOKEN));
		this.lookup.register("new", TOKEN);
		assertThat(verify("new", TOKEN)).isEqualTo(REJECTED);
		assertVerified("remembered");
		assertVerified("known");
		this.clock.advance(Duration.ofMillis(200));
		assertVerified("new");
	}

	@Test
	void sharedTokenIsUnavailableRatherThanRejectedBeyondTheRateLimit() {
		assertThat(IntStream.range(0, 100).mapToObj((i) -> result(this.sharing.verify(claim("chat-" + i, TOKEN)))))
			.containsOnly(SHARED, UNAVAILABLE);
	}

	private void assertVerified(String instanceId) {
		assertThat(instance(verify(instanceId, TOKEN))).hasValue(instanceId);
	}

	private Verification verify(String instanceId, String token) {
		return result(this.verifier.verify(claim(instanceId, token)));
	}

	private static WarmupClaim claim(String instanceId, String token) {
		return new WarmupClaim(instanceId, Optional.of(token), "r");
	}

	/** The result that is available at once. */
	private static Verification result(Mono<Verification> verification) {
		return verification.toFuture().getNow(null);
	}

	private static Optional<String> instance(Verification verification) {
		return (verification instanceof Verification.Verified verified)
				? verified.instance().map(ServiceInstance::getInstanceId) : Optional.empty();
	}

}
