package dev.warmup.discovery;

import java.time.Duration;
import java.util.Optional;

import dev.warmup.protocol.WarmupClaim;
import dev.warmup.protocol.WarmupToken;
import org.junit.jupiter.api.Test;
import reactor.test.StepVerifier;

class SharedTokenVerifierTests {

	private static final Verification REJECTED = new Verification.Rejected();

	private final ClaimVerifier verifier = new SharedTokenVerifier(Optional.of(WarmupToken.of("token-of-the-tests")));

	@Test
	void sharedTokenIsBelieved() {
		expect(this.verifier, Optional.of("token-of-the-tests"), new Verification.Verified(Optional.empty()));
	}

	@Test
	void otherTokenAndNoTokenAreNot() {
		expect(this.verifier, Optional.of("token-of-another"), REJECTED);
		expect(this.verifier, Optional.empty(), REJECTED);
	}

	@Test
	void nothingIsBelievedWithoutASharedToken() {
		expect(new SharedTokenVerifier(Optional.empty()), Optional.of("token-of-the-tests"), REJECTED);
	}

	private static void expect(ClaimVerifier verifier, Optional<String> token, Verification verification) {
		StepVerifier.create(verifier.verify(new WarmupClaim("chat-1", token, "r")))
			.expectNext(verification)
			.expectComplete()
			.verify(Duration.ofSeconds(30));
	}

}
