package dev.warmup.record;

import java.util.Set;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class AdviceTests {

	@Test
	void unauthorisedMeansMissingCredentials() {
		assertThat(Advice.on(Set.of(401)).orElseThrow()).contains("only the security filters were warmed")
			.contains("Authorization");
	}

	@Test
	void forbiddenMeansMissingRightsOrCsrf() {
		assertThat(Advice.on(Set.of(403)).orElseThrow()).contains("CSRF");
		assertThat(Advice.on(Set.of(401, 403)).orElseThrow()).contains("CSRF");
	}

	@Test
	void redirectsPointToSchemeOrHost() {
		assertThat(Advice.on(Set.of(301, 302)).orElseThrow()).contains("redirects are not followed").contains("HTTPS");
	}

	@Test
	void mixedOrOtherStatusesPointNowhere() {
		assertThat(Advice.on(Set.of())).isEmpty();
		assertThat(Advice.on(Set.of(500))).isEmpty();
		assertThat(Advice.on(Set.of(401, 500))).isEmpty();
		assertThat(Advice.on(Set.of(302, 404))).isEmpty();
		assertThat(Advice.on(Set.of(200))).isEmpty();
	}

}
