package dev.warmup.run;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

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
import reactor.test.StepVerifier;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.equalTo;
import static com.github.tomakehurst.wiremock.client.WireMock.equalToJson;
import static com.github.tomakehurst.wiremock.client.WireMock.get;
import static com.github.tomakehurst.wiremock.client.WireMock.noContent;
import static com.github.tomakehurst.wiremock.client.WireMock.ok;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.postRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.serverError;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.wireMockConfig;
import static dev.warmup.run.ReplayFixture.proved;
import static org.assertj.core.api.Assertions.assertThat;

/** What is sent, in which order, and what is not. */
@Timeout(60)
class ReplayerTests {

	@RegisterExtension
	static final WireMockExtension gateway = WireMockExtension.newInstance()
		.options(wireMockConfig().dynamicPort())
		.build();

	private static final Catalog LIFECYCLE = Catalogs.of("""
			version: 1
			variables: { room: lobby }
			scenarios:
			  - name: lifecycle
			    unsafe: true
			    requests:
			      - name: sign-up
			        method: POST
			        path: /users
			        json: { name: Warm Up, room: "{{room}}" }
			        expect: { status: 201 }
			        capture: { userId: $.id, age: $.age }
			      - GET /users/{{userId}}
			      - name: post
			        method: POST
			        path: /messages
			        headers: { X-User: "{{userId}}" }
			        json: { from: "{{userId}}", age: "{{age}}" }
			    finally:
			      - DELETE /users/{{userId}}
			      - DELETE /rooms/{{room}}
			""");

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

	@Test
	void requestsAreSentInOrderAndThenWhatCleansUp() {
		gateway.stubFor(post("/users").willReturn(proved(okJson("{\"id\": \"a b/ü\", \"age\": 7}").withStatus(201))));
		List<Outcome> outcomes = this.fixture.replay(LIFECYCLE);
		assertThat(outcomes).hasSize(5)
			.allSatisfy((outcome) -> assertThat(outcome).isInstanceOf(Outcome.Answered.class));
		assertThat(outcomes).extracting((outcome) -> outcome.request().name())
			.containsExactly("sign-up", "GET /users/{{userId}}", "post", "DELETE /users/{{userId}}",
					"DELETE /rooms/{{room}}");
		assertThat(ReplayFixture.received(gateway)).containsExactly("POST /users", "GET /users/a%20b%2F%C3%BC",
				"POST /messages", "DELETE /users/a%20b%2F%C3%BC", "DELETE /rooms/lobby");
	}

	@Test
	void capturesFlowIntoPathsHeadersAndBodiesWithTheirTypes() {
		gateway.stubFor(post("/users").willReturn(proved(okJson("{\"id\": \"u1\", \"age\": 7}").withStatus(201))));
		this.fixture.replay(LIFECYCLE);
		gateway.verify(1, postRequestedFor(urlEqualTo("/users"))
			.withRequestBody(equalToJson("{\"name\": \"Warm Up\", \"room\": \"lobby\"}")));
		gateway.verify(1, postRequestedFor(urlEqualTo("/messages")).withHeader("X-User", equalTo("u1"))
			.withRequestBody(equalToJson("{\"from\": \"u1\", \"age\": 7}")));
	}

	@Test
	void whatNeedsACaptureThatFailedIsNotSentAndWhatCleansUpWithoutItIs() {
		gateway.stubFor(post("/users").willReturn(proved(serverError())));
		List<Outcome> outcomes = this.fixture.replay(LIFECYCLE);
		assertThat(outcomes).extracting(Object::getClass)
			.containsExactly(Outcome.Unexpected.class, Outcome.NotSent.class, Outcome.NotSent.class,
					Outcome.NotSent.class, Outcome.Answered.class);
		assertThat(ReplayFixture.received(gateway)).containsExactly("POST /users", "DELETE /rooms/lobby");
	}

	@Test
	void anAnswerWithoutWhatIsCapturedIsUnexpected() {
		gateway.stubFor(post("/users").willReturn(proved(okJson("{\"id\": \"u1\"}").withStatus(201))));
		assertThat(this.fixture.replay(LIFECYCLE).get(0)).isInstanceOfSatisfying(Outcome.Unexpected.class,
				(unexpected) -> assertThat(unexpected.problem()).startsWith("capture age found nothing"));
	}

	@Test
	void capturesOfOneRepetitionDoNotReachTheNext() {
		gateway.stubFor(post("/users").willReturn(proved(okJson("{\"id\": \"u1\", \"age\": 7}").withStatus(201))));
		this.fixture.replay(LIFECYCLE);
		gateway.stubFor(post("/users").willReturn(proved(serverError())));
		gateway.resetRequests();
		this.fixture.replay(LIFECYCLE);
		assertThat(ReplayFixture.received(gateway)).containsExactly("POST /users", "DELETE /rooms/lobby");
	}

	@Test
	void replayGoesOnWithTheNextRequestWhenOneFails() {
		gateway.stubFor(get("/broken").willReturn(aResponse().withFault(Fault.EMPTY_RESPONSE)));
		List<Outcome> outcomes = this.fixture.replay(Catalogs.ofRequests("GET /fine/1", "GET /broken", "GET /fine/2"));
		assertThat(outcomes).extracting(Object::getClass)
			.containsExactly(Outcome.Answered.class, Outcome.Failed.class, Outcome.Answered.class);
	}

	@Test
	void onceTheBudgetIsStoppedOnlyWhatCleansUpIsSent() {
		gateway.stubFor(post("/users").willReturn(proved(okJson("{\"id\": \"u1\", \"age\": 7}").withStatus(201))));
		Budget budget = ReplayFixture.endless();
		StepVerifier
			.create(this.fixture.replayer.replay(LIFECYCLE.scenarios().get(0), this.fixture.session(LIFECYCLE, budget)))
			.consumeNextWith((outcome) -> budget.stop())
			.assertNext((outcome) -> assertThat(outcome.request().name()).isEqualTo("DELETE /users/{{userId}}"))
			.assertNext((outcome) -> assertThat(outcome).isInstanceOf(Outcome.Answered.class))
			.expectComplete()
			.verify(ReplayFixture.PATIENCE);
		assertThat(ReplayFixture.received(gateway)).containsExactly("POST /users", "DELETE /users/u1",
				"DELETE /rooms/lobby");
	}

	@Test
	void aRepetitionThatWouldBeginAfterTheBudgetSendsNothing() {
		Budget budget = ReplayFixture.endless();
		budget.stop();
		assertThat(this.fixture.replay(LIFECYCLE.scenarios().get(0), this.fixture.session(LIFECYCLE, budget)))
			.isEmpty();
		assertThat(ReplayFixture.received(gateway)).isEmpty();
	}

	@Test
	void eachSubscriptionIsARepetitionOfItsOwn() {
		Catalog catalog = Catalogs.of("""
				version: 1
				variables: { id: "{{uuid}}" }
				scenarios:
				  - { name: only, requests: ["GET /{{id}}", "GET /{{id}}"] }
				""");
		this.fixture.replay(catalog);
		this.fixture.replay(catalog);
		List<String> received = ReplayFixture.received(gateway);
		assertThat(received).hasSize(4);
		assertThat(received.get(0)).isEqualTo(received.get(1)).isNotEqualTo(received.get(2));
		assertThat(received.get(2)).isEqualTo(received.get(3));
		assertThat(received)
			.allMatch((line) -> UUID.fromString(line.substring("GET /".length())).version() == 4, "is of version 4")
			.allMatch((line) -> UUID.fromString(line.substring("GET /".length())).variant() == 2, "is of the variant");
	}

	@Test
	void everyRequestCarriesAWellFormedClaimThatTheCatalogCannotReplace() {
		this.fixture.replay(Catalogs.of("""
				version: 1
				scenarios:
				  - name: only
				    unsafe: true
				    requests:
				      - { path: /a, method: GET, headers: { Accept: text/plain } }
				    finally: [DELETE /a]
				"""));
		gateway.verify(2, anyRequestedFor(anyUrl()).withHeader(WarmupClaim.HEADER,
				equalTo("instance=host:1; run=r-1; jwt=a.token.of-tests")));
	}

	@Test
	void theContentTypeIsTheBodysUnlessAHeaderSaysOtherwise() {
		this.fixture.replay(Catalogs.of("""
				version: 1
				scenarios:
				  - name: only
				    unsafe: true
				    requests:
				      - { name: json, method: POST, path: /json, json: { a: 1 } }
				      - { name: own, method: POST, path: /own, json: { a: 1 },
				          headers: { content-type: application/merge-patch+json } }
				      - { name: text, method: POST, path: /text, body: "a=1",
				          headers: { Content-Type: application/x-www-form-urlencoded } }
				"""));
		gateway.verify(1,
				postRequestedFor(urlEqualTo("/json")).withHeader("Content-Type", equalTo("application/json")));
		gateway.verify(1, postRequestedFor(urlEqualTo("/own")).withHeader("Content-Type",
				equalTo("application/merge-patch+json")));
		gateway.verify(1,
				postRequestedFor(urlEqualTo("/text"))
					.withHeader("Content-Type", equalTo("application/x-www-form-urlencoded"))
					.withRequestBody(equalTo("a=1")));
	}

	@Test
	void answersWithoutABodyAreAnswers() {
		gateway.stubFor(any(urlEqualTo("/empty")).willReturn(proved(noContent())));
		gateway.stubFor(any(urlEqualTo("/head")).willReturn(proved(ok("not sent for HEAD"))));
		assertThat(this.fixture.replay(Catalogs.ofRequests("GET /empty", "HEAD /head", "OPTIONS /empty", "GET /head")))
			.hasSize(4)
			.allSatisfy((outcome) -> assertThat(outcome).isInstanceOf(Outcome.Answered.class));
	}

	@Test
	void theCatalogsPathsAreAppendedToTheGatewaysAddress() {
		Catalog catalog = Catalogs.ofRequests("GET /a?b=c");
		for (String base : List.of("/base", "/base/")) {
			Session session = ReplayFixture.session(catalog, URI.create(gateway.baseUrl() + base),
					ReplayFixture.endless());
			this.fixture.replay(catalog.scenarios().get(0), session);
		}
		assertThat(ReplayFixture.received(gateway)).containsExactly("GET /base/a?b=c", "GET /base/a?b=c");
	}

	@Test
	void aRequestThatTheBudgetCutsIsNoFailureOfTheService() {
		gateway.stubFor(get("/slow").willReturn(proved(ok().withFixedDelay(5_000))));
		Catalog catalog = Catalogs.ofRequests("GET /slow");
		Budget lastMoments = Budget.start(Duration.ofMillis(200), () -> 0);
		assertThat(this.fixture.replay(catalog.scenarios().get(0), this.fixture.session(catalog, lastMoments)))
			.singleElement()
			.isInstanceOf(Outcome.Cut.class);
	}

	@Test
	void cleaningUpIsShortenedOnlyOnceTheBudgetIsOver() {
		Budget budget = ReplayFixture.endless();
		Session session = this.fixture.session(LIFECYCLE, budget);
		assertThat(session.cleanupLimit(Duration.ofSeconds(10))).isEqualTo(Duration.ofSeconds(10));
		budget.stop();
		assertThat(session.cleanupLimit(Duration.ofSeconds(10))).isEqualTo(Duration.ofSeconds(5));
		assertThat(session.cleanupLimit(Duration.ofSeconds(2))).isEqualTo(Duration.ofSeconds(2));
	}

	@Test
	void aRequestMayNotTakeLongerThanWhatIsLeftOfTheBudget() {
		Session session = this.fixture.session(LIFECYCLE, Budget.start(Duration.ofSeconds(3), () -> 0));
		assertThat(session.limit(Duration.ofSeconds(2))).isEqualTo(Duration.ofSeconds(2));
		assertThat(session.limit(Duration.ofSeconds(4))).isEqualTo(Duration.ofSeconds(3));
	}

}
