package dev.warmup.run;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.util.List;

import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import dev.warmup.Catalogs;
import dev.warmup.catalog.Catalog;
import dev.warmup.protocol.WarmupClaim;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.get;
import static com.github.tomakehurst.wiremock.client.WireMock.ok;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.temporaryRedirect;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.wireMockConfig;
import static dev.warmup.run.ReplayFixture.proved;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every way an answer can be bad. Each test sends a good request before, so that the bad
 * one goes over a pooled connection, and one after, over the only connection there is.
 */
@Timeout(60)
class ReplayerFaultTests {

	private static final int MEBIBYTE = 1 << 20;

	@RegisterExtension
	static final WireMockExtension gateway = WireMockExtension.newInstance()
		.options(wireMockConfig().dynamicPort())
		.build();

	private ReplayFixture fixture;

	@BeforeEach
	void open() {
		this.fixture = new ReplayFixture(gateway);
		gateway.stubFor(any(anyUrl()).atPriority(10).willReturn(proved(ok("fine"))));
	}

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@ParameterizedTest
	@EnumSource(Fault.class)
	void aBrokenConnectionIsAFailureAndNothingIsSentTwice(Fault fault) {
		Outcome outcome = replayBad("GET /bad", aResponse().withFault(fault));
		assertThat(outcome).isInstanceOfSatisfying(Outcome.Failed.class,
				(failed) -> assertThat(failed.problem()).isNotBlank().doesNotContain("null"));
		assertThat(outcome.latency()).isZero();
	}

	@Test
	void anAnswerThatComesTooLateIsAFailure() {
		Outcome outcome = replayBad("{ method: GET, path: /bad, timeout: 200ms }", ok().withFixedDelay(5_000));
		assertThat(outcome).isInstanceOfSatisfying(Outcome.Failed.class,
				(failed) -> assertThat(failed.problem()).isEqualTo("no answer within 200 ms"));
	}

	@Test
	void anAnswerOfOneMebibyteIsRead() {
		assertThat(replayBad("GET /bad", ok("a".repeat(MEBIBYTE)))).isInstanceOf(Outcome.Answered.class);
	}

	@ParameterizedTest
	@ValueSource(ints = { MEBIBYTE + 1, 8 * MEBIBYTE })
	void anOversizedAnswerIsNotTheOneExpected(int size) {
		assertThat(replayBad("GET /bad", ok("a".repeat(size)))).isInstanceOfSatisfying(Outcome.Unexpected.class,
				(unexpected) -> {
					assertThat(unexpected.problem()).isEqualTo("answer larger than 1 MiB");
					assertThat(unexpected.status()).isEqualTo(200);
					assertThat(unexpected.byService()).isTrue();
				});
	}

	@ParameterizedTest
	@ValueSource(ints = { 400, 401, 404, 429, 500, 503 })
	void anotherStatusThanExpectedIsUnexpected(int status) {
		assertThat(replayBad("GET /bad", aResponse().withStatus(status).withBody("no")))
			.isInstanceOfSatisfying(Outcome.Unexpected.class, (unexpected) -> {
				assertThat(unexpected.status()).isEqualTo(status);
				assertThat(unexpected.problem()).isEqualTo(status + " (expected 2xx)");
				assertThat(unexpected.latency()).isPositive();
			});
	}

	@Test
	void aRedirectIsNotFollowed() {
		assertThat(replayBad("GET /bad", temporaryRedirect("/elsewhere"))).isInstanceOfSatisfying(
				Outcome.Unexpected.class,
				(unexpected) -> assertThat(unexpected.problem()).isEqualTo("302 (expected 2xx)"));
	}

	@Test
	void aRefusedConnectionIsAFailure() throws IOException {
		int closed;
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			closed = socket.getLocalPort();
		}
		Catalog catalog = Catalogs.ofRequests("GET /a", "GET /b");
		Session session = ReplayFixture.session(catalog, URI.create("http://localhost:" + closed),
				ReplayFixture.endless());
		assertThat(this.fixture.replay(catalog.scenarios().get(0), session)).hasSize(2)
			.allSatisfy((outcome) -> assertThat(outcome).isInstanceOfSatisfying(Outcome.Failed.class,
					(failed) -> assertThat(failed.problem()).contains("Connection refused")));
	}

	@Test
	void aCaptureThatMakesAnIllegalHeaderIsAFailureAndNotAnError() {
		gateway.stubFor(get("/token").willReturn(proved(okJson("{\"token\": \"a\\r\\nX-Evil: b\"}"))));
		List<Outcome> outcomes = this.fixture.replay(Catalogs.of("""
				version: 1
				scenarios:
				  - name: only
				    requests:
				      - { name: token, method: GET, path: /token, capture: { token: $.token } }
				      - { name: use, method: GET, path: /use, headers: { Authorization: "{{token}}" } }
				      - GET /fine
				"""));
		assertThat(outcomes).extracting(Object::getClass)
			.containsExactly(Outcome.Answered.class, Outcome.Failed.class, Outcome.Answered.class);
		assertThat(ReplayFixture.received(gateway)).containsExactly("GET /token", "GET /fine");
	}

	private Outcome replayBad(String request, ResponseDefinitionBuilder answer) {
		gateway.stubFor(get("/bad").willReturn(proved(answer)));
		List<Outcome> outcomes = this.fixture.replay(Catalogs.ofRequests("GET /before", request, "GET /after"));
		assertThat(outcomes).hasSize(3);
		assertThat(outcomes.get(0)).isInstanceOf(Outcome.Answered.class);
		assertThat(outcomes.get(2)).isInstanceOf(Outcome.Answered.class);
		assertThat(ReplayFixture.received(gateway)).containsExactly("GET /before", "GET /bad", "GET /after");
		return outcomes.get(1);
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
	void anAnswerWithoutProofDoesNotCount() {
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
	void unexpectedAnswersNeedProofToo(int status) {
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
