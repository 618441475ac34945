package dev.warmup.run;

import java.util.List;

import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import dev.warmup.Catalogs;
import dev.warmup.protocol.WarmupClaim;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.get;
import static com.github.tomakehurst.wiremock.client.WireMock.ok;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.wireMockConfig;
import static dev.warmup.run.ReplayFixture.proved;
import static org.assertj.core.api.Assertions.assertThat;

/** Whose answers count. */
@Timeout(60)
class ProofTests {

	@RegisterExtension
	static final WireMockExtension gateway = WireMockExtension.newInstance()
		.options(wireMockConfig().dynamicPort())
		.build();

	private ReplayFixture fixture;

	@BeforeEach
	void open() {
		this.fixture = new ReplayFixture(gateway);
	}

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@Test
	void theInstancesOwnAnswerCounts() {
		assertThat(replay(proved(ok()))).isInstanceOf(Outcome.Answered.class);
	}

	@ParameterizedTest
	@ValueSource(strings = { "user-service", "chat" })
	void anAnswerOfAnotherServiceCountsWhereTheGatewaySaysThatTheRouteLeadsThere(String service) {
		assertThat(replay(ok().withHeader(WarmupClaim.SERVICE_HEADER, service))).isInstanceOf(Outcome.Answered.class);
	}

	@Test
	void anAnswerFromNobodyDoesNotCount() {
		assertUnproved(ok());
	}

	@ParameterizedTest
	@ValueSource(strings = { "host:2", "HOST:1", "" })
	void anAnswerOfAnotherInstanceDoesNotCount(String instance) {
		assertUnproved(ok().withHeader(WarmupClaim.INSTANCE_HEADER, instance));
	}

	@ParameterizedTest
	@ValueSource(strings = { "chat-service", "CHAT-SERVICE" })
	void theNameOfTheInstancesOwnServiceProvesNothing(String service) {
		assertUnproved(ok().withHeader(WarmupClaim.SERVICE_HEADER, service));
	}

	@Test
	void nothingIsCapturedFromAnAnswerWithoutProof() {
		gateway.stubFor(get("/token").willReturn(okJson("{\"id\": 7}")));
		List<Outcome> outcomes = this.fixture.replay(Catalogs.of("""
				version: 1
				scenarios:
				  - name: only
				    requests:
				      - { name: token, method: GET, path: /token, capture: { id: $.id } }
				      - GET /use/{{id}}
				"""));
		assertThat(outcomes).extracting(Object::getClass)
			.containsExactly(Outcome.Unexpected.class, Outcome.NotSent.class);
		assertThat(ReplayFixture.received(gateway)).containsExactly("GET /token");
	}

	@ParameterizedTest
	@ValueSource(ints = { 404, 500, 503 })
	void whoAnsweredIsSaidOfUnexpectedAnswersToo(int status) {
		assertThat(replay(aResponse().withStatus(status))).isInstanceOfSatisfying(Outcome.Unexpected.class,
				(unexpected) -> {
					assertThat(unexpected.problem()).isEqualTo(status + " (expected 2xx)");
					assertThat(unexpected.byService()).isFalse();
				});
		assertThat(replay(proved(aResponse().withStatus(status)))).isInstanceOfSatisfying(Outcome.Unexpected.class,
				(unexpected) -> assertThat(unexpected.byService()).isTrue());
	}

	private void assertUnproved(ResponseDefinitionBuilder answer) {
		assertThat(replay(answer)).isInstanceOfSatisfying(Outcome.Unexpected.class, (unexpected) -> {
			assertThat(unexpected.problem()).isEqualTo("200 without proof that host:1 answered");
			assertThat(unexpected.status()).isEqualTo(200);
			assertThat(unexpected.byService()).isFalse();
		});
	}

	private Outcome replay(ResponseDefinitionBuilder answer) {
		gateway.stubFor(get("/a").willReturn(answer));
		List<Outcome> outcomes = this.fixture.replay(Catalogs.ofRequests("GET /a"));
		assertThat(outcomes).hasSize(1);
		return outcomes.get(0);
	}

}
