package dev.warmup.run;

import java.util.Optional;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class ReasonsTests {

	@Test
	void unauthorisedMeansMissingCredentials() {
		assertThat(on(Set.of(401)).orElseThrow()).contains("only the security filters were warmed")
			.contains("Authorization");
	}

	@Test
	void forbiddenMeansMissingRightsOrCsrf() {
		assertThat(on(Set.of(403)).orElseThrow()).contains("CSRF");
		assertThat(on(Set.of(401, 403)).orElseThrow()).contains("CSRF");
	}

	@Test
	void redirectsPointToSchemeOrHost() {
		assertThat(on(Set.of(301, 302)).orElseThrow()).contains("redirects are not followed").contains("HTTPS");
	}

	@Test
	void mixedOrOtherStatusesPointNowhere() {
		assertThat(on(Set.of())).isEmpty();
		assertThat(on(Set.of(500))).isEmpty();
		assertThat(on(Set.of(401, 500))).isEmpty();
		assertThat(on(Set.of(302, 404))).isEmpty();
		assertThat(on(Set.of(200))).isEmpty();
	}

	@Test
	void whatWasAnsweredWithoutProofCameFromAnotherThanTheInstance() {
		assertThat(Reasons.advice(Set.of(200), Set.of(200)).orElseThrow()).contains("instead of the instance")
			.contains("dev.warmup:warmup-common")
			.contains("fallback");
		assertThat(Reasons.advice(Set.of(200, 500), Set.of(200)).orElseThrow()).contains("instead of the instance");
		assertThat(Reasons.advice(Set.of(200), Set.of())).isEmpty();
	}

	@Test
	void misdirectedRequestsPointToAGatewayThatDoesNotPin() {
		assertThat(Reasons.advice(Set.of(421), Set.of(421)).orElseThrow()).contains("other instances")
			.contains("add dev.warmup:warmup-common to the gateway");
	}

	@Test
	void answersThatAGatewayGivesByItselfPointToTheGateway() {
		assertThat(Reasons.advice(Set.of(503, 504), Set.of(503, 504)).orElseThrow()).contains("route to the service");
		assertThat(Reasons.advice(Set.of(503), Set.of())).isEmpty();
		assertThat(Reasons.advice(Set.of(500, 503), Set.of(503))).isEmpty();
	}

	private static Optional<String> on(Set<Integer> statuses) {
		return Reasons.advice(statuses, Set.of());
	}

}
