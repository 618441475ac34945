package dev.warmup.discovery;

import java.time.Duration;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.warmup.MutableClock;
import dev.warmup.protocol.WarmupToken;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What claims that are not true, or too many, can cost the registry and the memory. */
class ForgedClaimBoundsTests {

	private static final String TOKEN = "token-of-the-tests";

	private static final String OTHER = "token-of-another";

	private static final Verification REJECTED = new Verification.Rejected();

	private static final Verification UNAVAILABLE = new Verification.Unavailable();

	private final MutableClock clock = new MutableClock();

	private final CountingLookup lookup = new CountingLookup();

	private final RegistryClaimVerifier verifier = new RegistryClaimVerifier(this.lookup, Optional.empty(), this.clock);

	@Test
	void wrongTokensOfAKnownInstanceHaveItAskedForOnceASecond() {
		this.lookup.register("chat-1", TOKEN);
		this.lookup.fetch();
		verify("chat-1", TOKEN);
		for (int second = 0; second < 10; second++) {
			IntStream.range(0, 100).forEach((i) -> assertThat(verify("chat-1", OTHER + i)).isEqualTo(REJECTED));
			this.clock.advance(Duration.ofMillis(1001));
		}
		assertThat(this.lookup.questions()).isEqualTo(10);
		assertThat(Claims.instance(verify("chat-1", TOKEN))).isPresent();
	}

	@Test
	void forgedClaimsReachTheRegistryAFewTimesASecondAndLeaveNothingBehind() {
		int forged = 200_000;
		int perSecond = 20_000;
		for (int i = 0; i < forged; i++) {
			assertThat(verify("forged-" + i, TOKEN)).isEqualTo(REJECTED);
			assertThat(this.verifier.size()).isLessThanOrEqualTo(50);
			this.clock.advance(Duration.ofSeconds(1).dividedBy(perSecond));
		}
		assertThat(this.lookup.questions()).isBetween(20, 20 + 5 * forged / perSecond);
	}

	@Test
	void wrongTokensOfManyKnownInstancesReachTheRegistryAFewTimesASecond() {
		IntStream.range(0, 1000).forEach((i) -> this.lookup.register("chat-" + i, TOKEN));
		this.lookup.fetch();
		for (int i = 0; i < 10_000; i++) {
			assertThat(verify("chat-" + i % 1000, OTHER)).isEqualTo(REJECTED);
			this.clock.advance(Duration.ofMillis(1));
		}
		assertThat(this.lookup.questions()).isBetween(20, 20 + 5 * 10);
	}

	@Test
	void floodDoesNotKeepKnownAndRememberedClaimantsOut() {
		this.lookup.register("remembered", TOKEN);
		verify("remembered", TOKEN);
		this.lookup.register("known", TOKEN);
		this.lookup.fetch();
		IntStream.range(0, 1000).forEach((i) -> verify("forged-" + i, TOKEN));
		assertThat(verify("forged-again", TOKEN)).as("beyond the bound").isEqualTo(REJECTED);
		assertThat(Claims.instance(verify("remembered", TOKEN))).isPresent();
		assertThat(Claims.instance(verify("known", TOKEN))).isPresent();
	}

	@Test
	void newcomerGetsInAfterTheFlood() {
		IntStream.range(0, 1000).forEach((i) -> verify("forged-" + i, TOKEN));
		this.lookup.register("chat-1", TOKEN);
		assertThat(verify("chat-1", TOKEN)).isEqualTo(REJECTED);
		this.clock.advance(Duration.ofMillis(200));
		assertThat(Claims.instance(verify("chat-1", TOKEN))).isPresent();
	}

	@Test
	void claimantsAreForgottenBeyondAThousand() {
		IntStream.range(0, 3000).forEach((i) -> this.lookup.register("chat-" + i, TOKEN));
		this.lookup.fetch();
		IntStream.range(0, 3000).forEach((i) -> assertThat(Claims.instance(verify("chat-" + i, TOKEN))).isPresent());
		assertThat(this.verifier.size()).isEqualTo(1000);
	}

	@Test
	void sharedTokenIsNotRejectedBeyondTheBound() {
		RegistryClaimVerifier sharing = new RegistryClaimVerifier(this.lookup, Optional.of(WarmupToken.of(TOKEN)),
				this.clock);
		assertThat(Stream.iterate(0, (i) -> i + 1)
			.limit(100)
			.map((i) -> Claims.result(sharing.verify(Claims.claim("chat-" + i, TOKEN))))
			.distinct()).containsExactly(new Verification.Verified(Optional.empty()), UNAVAILABLE);
	}

	private Verification verify(String instanceId, String token) {
		return Claims.result(this.verifier.verify(Claims.claim(instanceId, token)));
	}

}
