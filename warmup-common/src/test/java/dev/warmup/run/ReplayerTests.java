package dev.warmup.run;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import dev.warmup.Catalogs;
import dev.warmup.catalog.Catalog;
import dev.warmup.protocol.JvmSnapshot;
import dev.warmup.protocol.WarmupClaim;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelOption;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;
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
import static dev.warmup.run.RunFixture.TIMEOUT;
import static dev.warmup.run.RunFixture.proved;
import static dev.warmup.run.RunFixture.session;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is sent, in which order, and what counts as an answer. There is one connection,
 * and buffers are counted: a connection that is not given back makes the next request
 * fail, and a buffer that is not released is seen at the end.
 */
class ReplayerTests {

	private static final int MEBIBYTE = 1 << 20;

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

	private final ConnectionProvider connections = ConnectionProvider.builder("test")
		.maxConnections(1)
		.pendingAcquireTimeout(TIMEOUT)
		.build();

	private final UnpooledByteBufAllocator buffers = new UnpooledByteBufAllocator(true);

	private final Replayer replayer = new Replayer(
			HttpClient.create(this.connections).option(ChannelOption.ALLOCATOR, this.buffers), Schedulers.parallel());

	private final Budget budget = Budget.start(Duration.ofHours(1), System::nanoTime);

	@BeforeEach
	void answer() {
		gateway.stubFor(any(anyUrl()).atPriority(10).willReturn(proved(ok("fine"))));
		gateway.stubFor(post("/users").willReturn(proved(okJson("{\"id\": \"a b/ü\", \"age\": 7}").withStatus(201))));
	}

	@AfterEach
	void close() {
		StepVerifier.create(this.connections.disposeLater()).expectComplete().verify(TIMEOUT);
		Awaitility.await()
			.atMost(TIMEOUT)
			.pollDelay(Duration.ZERO)
			.pollInterval(Duration.ofMillis(5))
			.until(() -> this.buffers.metric().usedDirectMemory() + this.buffers.metric().usedHeapMemory() == 0);
	}

	@Test
	void requestsAreSentInOrderAndThenWhatCleansUpWithCapturesInPathsAndBodies() {
		List<Outcome> outcomes = replay(LIFECYCLE);
		assertThat(outcomes).hasSize(5).hasOnlyElementsOfType(Outcome.Answered.class);
		assertThat(outcomes).extracting((outcome) -> outcome.request().name())
			.containsExactly("sign-up", "GET /users/{{userId}}", "post", "DELETE /users/{{userId}}",
					"DELETE /rooms/{{room}}");
		assertThat(received()).containsExactly("POST /users", "GET /users/a%20b%2F%C3%BC", "POST /messages",
				"DELETE /users/a%20b%2F%C3%BC", "DELETE /rooms/lobby");
		gateway.verify(1, postRequestedFor(urlEqualTo("/users"))
			.withRequestBody(equalToJson("{\"name\": \"Warm Up\", \"room\": \"lobby\"}")));
		gateway.verify(1, postRequestedFor(urlEqualTo("/messages"))
			.withRequestBody(equalToJson("{\"from\": \"a b/ü\", \"age\": 7}")));
	}

	@Test
	void aLateAnswerDoesNotCountButWhatItBringsIsCaptured() {
		Catalog catalog = Catalogs.ofScenarios("{ name: late, unsafe: true, requests: [{ method: POST, path: /users, "
				+ "expect: { maxLatency: 1ms }, capture: { userId: $.id } }, 'GET /users/{{userId}}'] }");
		gateway.stubFor(post("/users").willReturn(proved(okJson("{\"id\": \"u1\"}")).withFixedDelay(50)));
		List<Outcome> outcomes = replay(catalog);
		assertThat(outcomes.get(0)).isInstanceOfSatisfying(Outcome.Late.class,
				(late) -> assertThat(late.problem()).endsWith(" (expected at most 1 ms)"));
		assertThat(received()).containsExactly("POST /users", "GET /users/u1");
		gateway.stubFor(post("/users").willReturn(proved(ok("{}").withStatus(500)).withFixedDelay(50)));
		assertThat(replay(catalog).get(0)).isInstanceOf(Outcome.Unexpected.class);
	}

	@Test
	void whatNeedsACaptureThatFailedIsNotSentAndWhatCleansUpWithoutItIs() {
		gateway.stubFor(post("/users").willReturn(proved(okJson("{\"id\": \"u1\", \"age\": 7}").withStatus(201))));
		replay(LIFECYCLE);
		gateway.verify(1, postRequestedFor(urlEqualTo("/messages")).withHeader("X-User", equalTo("u1")));
		gateway.resetRequests();
		gateway.stubFor(post("/users").willReturn(proved(serverError())));
		assertThat(replay(LIFECYCLE)).extracting(Object::getClass)
			.as("also of the repetition before")
			.containsExactly(Outcome.Unexpected.class, Outcome.NotSent.class, Outcome.NotSent.class,
					Outcome.NotSent.class, Outcome.Answered.class);
		assertThat(received()).containsExactly("POST /users", "DELETE /rooms/lobby");
	}

	@Test
	void anAnswerWithoutWhatIsCapturedIsUnexpected() {
		gateway.stubFor(post("/users").willReturn(proved(okJson("{\"id\": \"u1\"}").withStatus(201))));
		assertThat(unexpected(replay(LIFECYCLE).get(0)).problem()).startsWith("capture age found nothing");
	}

	@Test
	void onceTheBudgetIsStoppedOnlyWhatCleansUpIsSentAndNoRepetitionBegins() {
		Session session = session(LIFECYCLE, gateway.baseUrl(), this.budget);
		StepVerifier.create(this.replayer.replay(LIFECYCLE.scenarios().get(0), session))
			.consumeNextWith((outcome) -> this.budget.stop())
			.assertNext((outcome) -> assertThat(outcome.request().name()).isEqualTo("DELETE /users/{{userId}}"))
			.assertNext((outcome) -> assertThat(outcome).isInstanceOf(Outcome.Answered.class))
			.expectComplete()
			.verify(TIMEOUT);
		assertThat(replay(session)).isEmpty();
		assertThat(received()).containsExactly("POST /users", "DELETE /users/a%20b%2F%C3%BC", "DELETE /rooms/lobby");
	}

	@Test
	void aRunThatIsStoppedWhileItWaitsForAGapCleansUpAtOnce() {
		AtomicInteger gaps = new AtomicInteger();
		Session session = new Session(LIFECYCLE, URI.create(gateway.baseUrl()), () -> RunFixture.CLAIM, "chat-service",
				this.budget, Mono.defer(() -> (gaps.getAndIncrement() == 0) ? Mono.empty()
						: Mono.<Void>never().doOnSubscribe((waiting) -> this.budget.stop())));
		StepVerifier.create(this.replayer.replay(LIFECYCLE.scenarios().get(0), session))
			.expectNextCount(4)
			.expectComplete()
			.verify(TIMEOUT);
		assertThat(received()).endsWith("DELETE /users/a%20b%2F%C3%BC", "DELETE /rooms/lobby");
	}

	@Test
	void eachSubscriptionIsARepetitionOfItsOwn() {
		Catalog catalog = Catalogs.of("""
				version: 1
				variables: { id: "{{uuid}}" }
				scenarios:
				  - { name: only, requests: ["GET /{{id}}", "GET /{{id}}"] }
				""");
		replay(catalog);
		replay(catalog);
		List<String> received = received();
		assertThat(received).hasSize(4);
		assertThat(received.get(0)).isEqualTo(received.get(1)).isNotEqualTo(received.get(2));
		assertThat(received.get(2)).isEqualTo(received.get(3));
		assertThat(received).allMatch((line) -> UUID.fromString(line.substring("GET /".length())).version() == 4);
	}

	@Test
	void requestsAreSentBelowTheGatewaysPathWithTheirHeadersTheBodysTypeAndAClaim() {
		Catalog catalog = Catalogs.of("""
				version: 1
				scenarios:
				  - name: only
				    unsafe: true
				    requests:
				      - { name: json, method: POST, path: "/json?b=c", json: { a: 1 } }
				      - { name: own, method: POST, path: /own, json: { a: 1 },
				          headers: { content-type: application/merge-patch+json } }
				      - { name: text, method: POST, path: /text, body: "a=1", headers: { Accept: text/plain } }
				    finally: [DELETE /a]
				""");
		for (String base : List.of("/base", "/base/")) {
			replay(session(catalog, gateway.baseUrl() + base, this.budget));
		}
		gateway.verify(8, anyRequestedFor(anyUrl()).withHeader("Cache-Control", equalTo("no-store")));
		gateway.verify(8, anyRequestedFor(anyUrl()).withHeader(WarmupClaim.HEADER,
				equalTo("instance=host:1; run=r-1; jwt=a.token.of-tests")));
		gateway.verify(2,
				postRequestedFor(urlEqualTo("/base/json?b=c")).withHeader("Content-Type", equalTo("application/json")));
		gateway.verify(2, postRequestedFor(urlEqualTo("/base/own")).withHeader("Content-Type",
				equalTo("application/merge-patch+json")));
		gateway.verify(2, postRequestedFor(urlEqualTo("/base/text")).withHeader("Accept", equalTo("text/plain"))
			.withRequestBody(equalTo("a=1")));
	}

	@Test
	void answersWithoutABodyAreAnswers() {
		gateway.stubFor(any(urlEqualTo("/empty")).willReturn(proved(noContent())));
		gateway.stubFor(any(urlEqualTo("/head")).willReturn(proved(ok("not sent for HEAD"))));
		assertThat(replay(Catalogs.ofRequests("GET /empty", "HEAD /head", "OPTIONS /empty", "GET /head"))).hasSize(4)
			.hasOnlyElementsOfType(Outcome.Answered.class);
	}

	@ParameterizedTest
	@ValueSource(strings = { "user-service", "chat" })
	void anAnswerIsTheInstancesOwnOnlyWithItsProof(String service) {
		gateway.stubFor(any(urlEqualTo("/other")).willReturn(ok().withHeader(WarmupClaim.SERVICE_HEADER, service)));
		assertThat(replay(Catalogs.ofRequests("GET /own", "GET /other"))).hasOnlyElementsOfType(Outcome.Answered.class)
			.map((outcome) -> ((Outcome.Answered) outcome).own())
			.containsExactly(true, false);
	}

	@Test
	void whatARequestWaitedAtTheGatewayForOthersIsNoLatencyOfTheInstance() {
		gateway
			.stubFor(get("/queued").willReturn(proved(ok().withFixedDelay(400).withHeader("X-Warmup-Queued", "390"))));
		gateway.stubFor(get("/odd").willReturn(proved(ok().withFixedDelay(400).withHeader("X-Warmup-Queued", "x"))));
		assertThat(replay(Catalogs.ofRequests("GET /odd")).get(0).latency())
			.isGreaterThanOrEqualTo(Duration.ofMillis(400));
		long start = System.nanoTime();
		Duration latency = replay(Catalogs.ofRequests("GET /queued")).get(0).latency();
		Duration taken = Duration.ofNanos(System.nanoTime() - start);
		assertThat(latency).isPositive().isLessThanOrEqualTo(taken.minusMillis(390));
	}

	@Test
	void anAnswerBringsTheFiguresOfTheGatewaysJvm() {
		JvmSnapshot figures = new JvmSnapshot("gw-1", 2, Duration.ofMillis(12), 34);
		gateway.stubFor(get("/own").willReturn(proved(ok().withHeader("X-Warmup-Jvm", figures.format()))));
		assertThat(replay(Catalogs.ofRequests("GET /own", "GET /other")))
			.map((outcome) -> ((Outcome.Answered) outcome).gateway())
			.containsExactly(Optional.of(figures), Optional.empty());
	}

	@Test
	void anAnswerThatIsDueWhenTheBudgetEndsIsWaitedFor() {
		gateway.stubFor(get("/slow").willReturn(proved(ok().withFixedDelay(300))));
		assertThat(replay(session(Catalogs.ofRequests("GET /slow"), gateway.baseUrl(),
				Budget.start(Duration.ofMillis(100), () -> 0L))))
			.singleElement()
			.isInstanceOf(Outcome.Answered.class);
	}

	@Test
	void aRequestThatTheBudgetCutsIsNoFailureOfTheService() {
		gateway.stubFor(get("/busy").willReturn(aResponse().withStatus(429).withHeader("Retry-After", "5")));
		Flux.interval(Duration.ofMillis(20))
			.filter((check) -> !received().isEmpty())
			.next()
			.delayElement(Duration.ofMillis(200)) // of the pause of at least five
			.subscribe((after) -> this.budget.stop());
		assertThat(replay(Catalogs.ofRequests("GET /busy"))).singleElement().isInstanceOf(Outcome.Canceled.class);
	}

	@ParameterizedTest
	@EnumSource(Fault.class)
	void aBrokenConnectionIsAFailureAndNothingIsSentTwice(Fault fault) {
		Outcome outcome = replayBad("GET /bad", aResponse().withFault(fault));
		assertThat(failure(outcome)).isNotBlank().doesNotContain("null");
		assertThat(outcome.latency()).isZero();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void anAnswerThatComesTooLateOrNeverEndsIsAFailure(boolean begins) {
		ResponseDefinitionBuilder late = begins ? proved(ok("endless".repeat(100))).withChunkedDribbleDelay(100, 5_000)
				: ok().withFixedDelay(5_000);
		assertThat(failure(replayBad("{ method: GET, path: /bad, timeout: 200ms }", late)))
			.isEqualTo("no answer within 200 ms");
	}

	@Test
	void aRefusedConnectionIsAFailure() {
		List<Outcome> outcomes = replay(
				session(Catalogs.ofRequests("GET /a", "GET /b"), "http://localhost:1", this.budget));
		assertThat(outcomes).hasSize(2)
			.allSatisfy((outcome) -> assertThat(failure(outcome)).contains("Connection refused"));
	}

	@ParameterizedTest
	@ValueSource(ints = { MEBIBYTE + 1, 8 * MEBIBYTE })
	void anAnswerOfMoreThanOneMebibyteIsNotTheOneExpected(int size) {
		assertThat(replayBad("GET /bad", proved(ok("a".repeat(MEBIBYTE))))).isInstanceOf(Outcome.Answered.class);
		gateway.resetRequests();
		Outcome.Unexpected outcome = unexpected(replayBad("GET /bad", proved(ok("a".repeat(size)))));
		assertThat(outcome.problem()).isEqualTo("answer larger than 1 MiB");
		assertThat(outcome.status()).isEqualTo(200);
		assertThat(outcome.byService()).isTrue();
	}

	@ParameterizedTest
	@CsvSource({ "400, true", "401, true", "404, true", "429, true", "500, true", "503, true", "404, false",
			"500, false", "503, false", "302, true" })
	void anotherStatusThanExpectedIsUnexpectedWhoeverAnsweredAndARedirectIsNotFollowed(int status, boolean byService) {
		ResponseDefinitionBuilder answer = aResponse().withStatus(status)
			.withHeader("Location", "/elsewhere")
			.withBody("no");
		Outcome.Unexpected outcome = unexpected(replayBad("GET /bad", byService ? proved(answer) : answer));
		assertThat(outcome.status()).isEqualTo(status);
		assertThat(outcome.problem()).isEqualTo(status + " (expected 2xx)");
		assertThat(outcome.latency()).isPositive();
		assertThat(outcome.byService()).isEqualTo(byService);
	}

	@Test
	void aCaptureThatMakesAnIllegalHeaderIsAFailureAndNotAnError() {
		gateway.stubFor(get("/token").willReturn(proved(okJson("{\"token\": \"a\\r\\nX-Evil: b\"}"))));
		List<Outcome> outcomes = replay(Catalogs.ofRequests(
				"{ name: token, method: GET, path: /token, capture: { token: $.token } }",
				"{ name: use, method: GET, path: /use, headers: { Authorization: '{{token}}' } }", "GET /fine"));
		assertThat(outcomes).extracting(Object::getClass)
			.containsExactly(Outcome.Answered.class, Outcome.Failed.class, Outcome.Answered.class);
		assertThat(received()).containsExactly("GET /token", "GET /fine");
	}

	@ParameterizedTest
	@CsvSource({ "X-Other, any", WarmupClaim.INSTANCE_HEADER + ", host:2", WarmupClaim.INSTANCE_HEADER + ", HOST:1",
			WarmupClaim.INSTANCE_HEADER + ", ''", WarmupClaim.SERVICE_HEADER + ", chat-service",
			WarmupClaim.SERVICE_HEADER + ", CHAT-SERVICE" })
	void anAnswerWithoutProofDoesNotCount(String header, String value) {
		Outcome.Unexpected outcome = unexpected(replayBad("GET /bad", ok().withHeader(header, value)));
		assertThat(outcome.problem()).isEqualTo("200 without proof that host:1 answered");
		assertThat(outcome.status()).isEqualTo(200);
		assertThat(outcome.byService()).isFalse();
	}

	@Test
	void nothingIsCapturedFromAnAnswerWithoutProof() {
		gateway.stubFor(get("/token").willReturn(okJson("{\"id\": 7}")));
		List<Outcome> outcomes = replay(Catalogs
			.ofRequests("{ name: token, method: GET, path: /token, capture: { id: $.id } }", "GET /use/{{id}}"));
		assertThat(outcomes).extracting(Object::getClass)
			.containsExactly(Outcome.Unexpected.class, Outcome.NotSent.class);
		assertThat(received()).containsExactly("GET /token");
	}

	/**
	 * A good request before, so that the bad one goes over a pooled connection, and one
	 * after, over the only connection there is.
	 */
	private Outcome replayBad(String request, ResponseDefinitionBuilder answer) {
		gateway.stubFor(get("/bad").willReturn(answer));
		List<Outcome> outcomes = replay(Catalogs.ofRequests("GET /before", request, "GET /after"));
		assertThat(outcomes).hasSize(3);
		assertThat(outcomes.get(0)).isInstanceOf(Outcome.Answered.class);
		assertThat(outcomes.get(2)).isInstanceOf(Outcome.Answered.class);
		assertThat(received()).containsExactly("GET /before", "GET /bad", "GET /after");
		return outcomes.get(1);
	}

	private static String failure(Outcome outcome) {
		assertThat(outcome).isInstanceOf(Outcome.Failed.class);
		return ((Outcome.Failed) outcome).problem();
	}

	private static Outcome.Unexpected unexpected(Outcome outcome) {
		assertThat(outcome).isInstanceOf(Outcome.Unexpected.class);
		return (Outcome.Unexpected) outcome;
	}

	private List<Outcome> replay(Catalog catalog) {
		return replay(session(catalog, gateway.baseUrl(), this.budget));
	}

	private List<Outcome> replay(Session session) {
		return Optional
			.ofNullable(
					this.replayer.replay(session.catalog().scenarios().get(0), session).collectList().block(TIMEOUT))
			.orElseThrow();
	}

	/** What arrived, as {@code METHOD /path}, in order. */
	private static List<String> received() {
		return gateway.findAll(anyRequestedFor(anyUrl()))
			.stream()
			.map((request) -> request.getMethod() + " " + request.getUrl())
			.toList();
	}

}
