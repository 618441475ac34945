package dev.warmup.discovery;

import java.time.Duration;
import java.util.Optional;
import java.util.stream.IntStream;

import dev.warmup.CapturedLog;
import dev.warmup.MutableClock;
import dev.warmup.protocol.WarmupClaim;
import dev.warmup.protocol.WarmupToken;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

class RegistryClaimVerifierTests {

	private static final String TOKEN = "token-of-the-tests";

	private static final String OTHER = "token-of-another";

	private static final Verification REJECTED = new Verification.Rejected();

	private static final Verification UNAVAILABLE = new Verification.Unavailable();

	private final MutableClock clock = new MutableClock();

	private final CountingLookup lookup = new CountingLookup();

	private final RegistryClaimVerifier verifier = new RegistryClaimVerifier(this.lookup, Optional.empty(), this.clock);

	@Test
	void publishedTokenIsBelieved() {
		this.lookup.register("chat-1", TOKEN);
		assertThat(Claims.instance(verify("chat-1", TOKEN))).hasValue("chat-1");
	}

	@Test
	void otherTokenAndNoTokenAreNot() {
		this.lookup.register("chat-1", TOKEN);
		assertThat(verify("chat-1", OTHER)).isEqualTo(REJECTED);
		assertThat(Claims.result(this.verifier.verify(new WarmupClaim("chat-1", Optional.empty(), "r"))))
			.isEqualTo(REJECTED);
		assertThat(verify("chat-1", WarmupToken.of(TOKEN).sha256())).isEqualTo(REJECTED);
	}

	@Test
	void instanceWithoutHashIsNotBelieved() {
		this.lookup.register("chat-1", TOKEN);
		this.lookup.fetch();
		this.lookup.known("chat-1").orElseThrow().getMetadata().clear();
		assertThat(verify("chat-1", TOKEN)).isEqualTo(REJECTED);
	}

	@Test
	void claimantIsRemembered() {
		this.lookup.register("chat-1", TOKEN);
		IntStream.range(0, 1000).forEach((i) -> assertThat(Claims.instance(verify("chat-1", TOKEN))).isPresent());
		assertThat(this.lookup.questions()).isEqualTo(1);
	}

	@Test
	void whatIsKnownIsNotAskedFor() {
		this.lookup.register("chat-1", TOKEN);
		this.lookup.fetch();
		assertThat(Claims.instance(verify("chat-1", TOKEN))).hasValue("chat-1");
		assertThat(this.lookup.questions()).isZero();
	}

	@Test
	void oneQuestionIsUnderWayAnInstanceAndOthersShareItsAnswer() {
		this.lookup.register("chat-1", TOKEN);
		Sinks.Empty<Void> answer = Sinks.empty();
		this.lookup.answerAfter(answer.asMono());
		Flux<Verification> claims = Flux.range(0, 100)
			.flatMap((i) -> this.verifier.verify(Claims.claim("chat-1", TOKEN)), 100);
		StepVerifier.create(claims.collectList()).then(() -> {
			assertThat(this.lookup.questions()).isEqualTo(1);
			answer.tryEmitEmpty().orThrow();
		})
			.assertNext((answers) -> assertThat(answers).hasSize(100)
				.allSatisfy((each) -> assertThat(Claims.instance(each)).isPresent()))
			.expectComplete()
			.verify(Duration.ofSeconds(30));
		assertThat(this.lookup.questions()).isEqualTo(1);
	}

	@Test
	void questionOutlivesTheOneWhoAskedFirst() {
		this.lookup.register("chat-1", TOKEN);
		Sinks.Empty<Void> answer = Sinks.empty();
		this.lookup.answerAfter(answer.asMono());
		StepVerifier.create(this.verifier.verify(Claims.claim("chat-1", TOKEN)))
			.thenCancel()
			.verify(Duration.ofSeconds(30));
		StepVerifier.create(this.verifier.verify(Claims.claim("chat-1", TOKEN)))
			.then(() -> answer.tryEmitEmpty().orThrow())
			.assertNext((verification) -> assertThat(Claims.instance(verification)).isPresent())
			.expectComplete()
			.verify(Duration.ofSeconds(30));
		assertThat(this.lookup.questions()).isEqualTo(1);
	}

	@Test
	void unknownInstanceIsAskedForOnceASecond() {
		assertThat(verify("chat-1", TOKEN)).isEqualTo(REJECTED);
		this.lookup.register("chat-1", TOKEN);
		assertThat(verify("chat-1", TOKEN)).isEqualTo(REJECTED);
		assertThat(this.lookup.questions()).isEqualTo(1);
		this.clock.advance(Duration.ofMillis(1001));
		assertThat(Claims.instance(verify("chat-1", TOKEN))).isPresent();
		assertThat(this.lookup.questions()).isEqualTo(2);
	}

	@Test
	void instanceThatRestartedUnderTheSameNameIsBelievedAgain() {
		this.lookup.register("chat-1", OTHER);
		assertThat(Claims.instance(verify("chat-1", OTHER))).isPresent();
		this.lookup.fetch();
		this.lookup.register("chat-1", TOKEN);
		this.clock.advance(Duration.ofSeconds(2));
		assertThat(Claims.instance(verify("chat-1", TOKEN))).isPresent();
		assertThat(verify("chat-1", OTHER)).as("the former token").isEqualTo(REJECTED);
	}

	@Test
	void registryThatFailsMakesClaimsUnavailableAndIsAskedAgainASecondLater() {
		this.lookup.register("chat-1", TOKEN);
		this.lookup.answerAfter(Mono.error(new IllegalStateException("gone")));
		try (CapturedLog log = CapturedLog.of(RegistryClaimVerifier.class)) {
			assertThat(verify("chat-1", TOKEN)).isEqualTo(UNAVAILABLE);
			assertThat(verify("chat-1", TOKEN)).isEqualTo(UNAVAILABLE);
			assertThat(verify("chat-2", TOKEN)).isEqualTo(UNAVAILABLE);
			assertThat(this.lookup.questions()).isEqualTo(2);
			this.lookup.answerAfter(Mono.empty());
			this.clock.advance(Duration.ofMillis(1001));
			assertThat(Claims.instance(verify("chat-1", TOKEN))).isPresent();
			assertThat(log.lines()).containsExactly(
					"WARN The registry does not answer (gone): instances not verified before cannot be warmed",
					"INFO The registry answers again");
		}
	}

	@Test
	void registryThatHangsMakesClaimsUnavailable() {
		this.lookup.answerAfter(Mono.never());
		StepVerifier.withVirtualTime(() -> this.verifier.verify(Claims.claim("chat-1", TOKEN)))
			.thenAwait(Duration.ofSeconds(5))
			.expectNext(UNAVAILABLE)
			.expectComplete()
			.verify(Duration.ofSeconds(30));
	}

	@Test
	void claimantIsCheckedAgainBesideTheTraffic() {
		this.lookup.register("chat-1", TOKEN);
		verify("chat-1", TOKEN);
		this.clock.advance(Duration.ofSeconds(31));
		Sinks.Empty<Void> answer = Sinks.empty();
		this.lookup.answerAfter(answer.asMono());
		this.lookup.unregister("chat-1");
		assertThat(Claims.instance(verify("chat-1", TOKEN))).as("while the check is under way").isPresent();
		assertThat(Claims.instance(verify("chat-1", TOKEN))).isPresent();
		assertThat(this.lookup.questions()).isEqualTo(2);
		answer.tryEmitEmpty().orThrow();
		assertThat(verify("chat-1", TOKEN)).as("after it").isEqualTo(REJECTED);
	}

	@Test
	void claimantIsKeptWhileTheRegistryIsGone() {
		this.lookup.register("chat-1", TOKEN);
		verify("chat-1", TOKEN);
		this.lookup.answerAfter(Mono.error(new IllegalStateException("gone")));
		for (int minute = 0; minute < 10; minute++) {
			this.clock.advance(Duration.ofMinutes(1));
			assertThat(Claims.instance(verify("chat-1", TOKEN))).isPresent();
		}
		assertThat(this.lookup.questions()).isEqualTo(11);
	}

	@Test
	void checkOfAKnownClaimantAsksNobody() {
		this.lookup.register("chat-1", TOKEN);
		this.lookup.fetch();
		verify("chat-1", TOKEN);
		this.clock.advance(Duration.ofMinutes(1));
		verify("chat-1", TOKEN);
		assertThat(this.lookup.questions()).isZero();
	}

	@Test
	void sharedTokenIsBelievedWhateverIsPublished() {
		RegistryClaimVerifier sharing = new RegistryClaimVerifier(this.lookup, Optional.of(WarmupToken.of(TOKEN)),
				this.clock);
		this.lookup.register("chat-1", OTHER);
		assertThat(Claims.instance(Claims.result(sharing.verify(Claims.claim("chat-1", TOKEN))))).hasValue("chat-1");
		assertThat(Claims.instance(Claims.result(sharing.verify(Claims.claim("chat-1", OTHER))))).as("its own")
			.hasValue("chat-1");
		assertThat(Claims.result(sharing.verify(Claims.claim("chat-2", TOKEN))))
			.isEqualTo(new Verification.Verified(Optional.empty()));
		assertThat(Claims.result(sharing.verify(Claims.claim("chat-2", OTHER)))).isEqualTo(REJECTED);
	}

	@Test
	void withoutDiscoveryOnlyTheSharedTokenIsAccepted() {
		ClaimVerifier sharing = ClaimVerifier.sharedToken(Optional.of(WarmupToken.of(TOKEN)));
		assertThat(Claims.result(sharing.verify(Claims.claim("chat-1", TOKEN))))
			.isEqualTo(new Verification.Verified(Optional.empty()));
		assertThat(Claims.result(sharing.verify(Claims.claim("chat-1", OTHER)))).isEqualTo(REJECTED);
		assertThat(Claims.result(sharing.verify(new WarmupClaim("chat-1", Optional.empty(), "r")))).isEqualTo(REJECTED);
		assertThat(Claims.result(ClaimVerifier.sharedToken(Optional.empty()).verify(Claims.claim("chat-1", TOKEN))))
			.isEqualTo(REJECTED);
	}

	private Verification verify(String instanceId, String token) {
		return Claims.result(this.verifier.verify(Claims.claim(instanceId, token)));
	}

}
