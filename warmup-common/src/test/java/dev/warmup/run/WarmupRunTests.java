package dev.warmup.run;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;

import dev.warmup.CapturedLog;
import dev.warmup.GateOpened;
import dev.warmup.MutableClock;
import dev.warmup.WarmupTask;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.Token;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.Verdict;
import dev.warmup.protocol.WarmupHeader;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpHeaders;
import org.springframework.web.reactive.function.client.ClientRequest;

import static org.assertj.core.api.Assertions.assertThat;

/** Runs through gateways over real HTTP. */
class WarmupRunTests extends RunFixture {

	private static final String USERS = "{ name: users, unsafe: true, requests: [{ name: sign-up, method: POST,"
			+ " path: /users, expect: { status: 201 }, capture: { id: $.id } }, \"GET /users/{{id}}\"],"
			+ " finally: [\"DELETE /users/{{id}}\"] }";

	@Test
	void aRunWhoseRequestsAreAnsweredAsExpectedEndsWarmAndOpensTheGate() {
		try (CapturedLog log = CapturedLog.of(WarmupRun.class)) {
			RunRecord run = run(Trigger.MANUAL);
			assertThat(run.verdict()).hasValue(Verdict.WARM);
			assertThat(run.failed()).isZero();
			assertThat(run.sent()).isGreaterThanOrEqualTo(3).isEqualTo(this.gateway.requests.size());
			assertThat(run.gateways()).containsExactly("gw-1");
			assertThat(run.p50()).isPresent();
			assertThat(run.reason()).isEmpty();
			assertThat(run.took()).isGreaterThanOrEqualTo(this.budget);
			assertThat(log.lines()).first().isEqualTo("INFO chat-service/host:8080 WARMING");
			assertThat(log.lines()).last().asString().contains("chat-service/host:8080 WARM manual: ");
		}
		assertThat(this.gate.isOpen()).isTrue();
		assertThat(parts().state().phase()).isEqualTo(Phase.WARM);
		assertThat(events(RequestSent.class)).hasSize(this.gateway.requests.size())
			.allSatisfy((sent) -> assertThat(sent.outcome()).isEqualTo("expected"));
	}

	@Test
	void theTokenIsForTheGatewayThatHasLookedAndEndsWithTheRun() {
		this.gateway.onNews = () -> FakeGateway.Answer.plain(204).with(WarmupHeader.GATEWAY, "its own name");
		assertThat(run(Trigger.MANUAL).gateways()).containsExactly("its own name");
		Token token = this.gateway.marks.get(0).token();
		assertThat(this.gateway.marks).allMatch((mark) -> mark.equals(new WarmupHeader("host:8080", token)));
		assertThat(parts().state().find(token)).isEmpty();
		assertThat(this.gateway.news).contains("/.warmup/instances/host:8080");
	}

	@Test
	void whileNoUserComesAStartupRunGoesOnOnceTheGateIsOpenAndTheFirstUserEndsIt() {
		CompletableFuture<RunRecord> ended = new CompletableFuture<>();
		CompletableFuture<Integer> atOpening = new CompletableFuture<>();
		this.onOpen = () -> atOpening.complete(this.gateway.requests.size());
		new WarmupRun(parts(), "r-1", Trigger.STARTUP, null).execute().subscribe((run) -> ended.complete(run));
		assertThat(atOpening).succeedsWithin(TIMEOUT);
		Awaitility.await().atMost(TIMEOUT).until(() -> this.gateway.requests.size() > atOpening.join() + 3);
		parts().users().touch();
		assertThat(ended).succeedsWithin(TIMEOUT)
			.satisfies((run) -> assertThat(run.verdict()).hasValue(Verdict.WARM))
			.satisfies((run) -> assertThat(run.curve().orElseThrow().opened().orElseThrow()).isBetween(this.budget,
					run.took()));
	}

	@Test
	void aStartupRunEndsByItselfWhenAllIsSteady() {
		RunRecord run = run(Trigger.STARTUP);
		assertThat(run.curve().orElseThrow().opened()).as("by its end").isPresent();
		assertThat(run.steady()).isTrue();
		assertThat(run.took()).isBetween(Steadiness.SHORTEST, Duration.ofSeconds(30));
		assertThat(run.verdict()).hasValue(Verdict.WARM);
	}

	@Test
	void aRequestThatKeepsFailingIsTriedLessOftenAndNamedWhileTheOthersGoOn() {
		this.scenarios = "{ name: only, requests: [GET /broken, GET /fine] }";
		this.gateway.script = (request) -> this.gateway.own(request.contains("broken") ? 500 : 200, "");
		RunRecord run = run(Trigger.MANUAL);
		assertThat(run.verdict()).hasValue(Verdict.DEGRADED);
		assertThat(run.reason()).hasValue("GET /broken 500 (expected 2xx)");
		assertThat(run.requests().get(0).sent()).isEqualTo(3);
		assertThat(run.requests().get(1).sent()).isGreaterThan(3);
		assertThat(this.gate.isOpen()).isTrue();
	}

	@Test
	void aFailureKeepsTheGateClosedWhereItIsToUntilARunEndsWarm() {
		this.opensOnFailure = false;
		this.gateway.script = (request) -> this.gateway.own(500, "");
		assertThat(run(Trigger.MANUAL).verdict()).hasValue(Verdict.FAILED);
		assertThat(this.gate.isOpen()).isFalse();
		assertThat(parts().state().phase()).isEqualTo(Phase.FAILED);
		this.gateway.script = (request) -> this.gateway.own(200, "");
		assertThat(run(Trigger.MANUAL).verdict()).hasValue(Verdict.WARM);
		assertThat(this.gate.isOpen()).isTrue();
	}

	@Test
	void singleFailuresSinceDoNotMatter() {
		AtomicInteger count = new AtomicInteger();
		this.gateway.script = (request) -> this.gateway.own((count.incrementAndGet() == 2) ? 500 : 200, "");
		RunRecord run = run(Trigger.MANUAL);
		assertThat(run.verdict()).hasValue(Verdict.WARM);
		assertThat(run.failed()).isOne();
	}

	@Test
	void capturesAreSentOnAndWhatCleansUpRunsWhateverFailed() {
		this.scenarios = USERS;
		this.gateway.script = (request) -> request.startsWith("POST") ? this.gateway.own(201, "{\"id\":\"a/b\"}")
				: this.gateway.own(request.startsWith("GET") ? 500 : 204, "");
		run(Trigger.MANUAL);
		assertThat(this.gateway.requests).startsWith("POST /users", "GET /users/a%2Fb", "DELETE /users/a%2Fb");
		assertThat(this.gateway.requests.stream().filter((request) -> request.startsWith("POST")))
			.hasSameSizeAs(this.gateway.requests.stream().filter((request) -> request.startsWith("DELETE")).toList());
	}

	@Test
	void whatIsCreatedWithALocationAndWithoutABodyIsRemoved() {
		this.scenarios = USERS.replace("$.id", "{ header: Location, regex: '/users/([^/]+)' }");
		this.gateway.script = (request) -> request.startsWith("POST")
				? this.gateway.own(201, "").with("Location", "http://host/users/17/") : this.gateway.own(200, "");
		assertThat(run(Trigger.MANUAL).verdict()).hasValue(Verdict.WARM);
		assertThat(this.gateway.requests).startsWith("POST /users", "GET /users/17", "DELETE /users/17");
	}

	@Test
	void aCaptureThatFindsNothingInAHeaderIsAFailureOfItsRequest() {
		this.scenarios = USERS.replace("$.id", "{ header: Location, regex: '/users/([^/]+)' }");
		this.gateway.script = (request) -> this.gateway.own(201, "").with("Location", "/users");
		RunRecord run = run(Trigger.MANUAL);
		assertThat(this.gateway.requests).containsOnly("POST /users");
		assertThat(run.reason())
			.hasValue("POST /users capture id found nothing in the header Location by /users/([^/]+), and 1 more");
	}

	@Test
	void whatAnotherRequestDidNotBringIsNotSent() {
		this.scenarios = USERS;
		this.gateway.script = (request) -> this.gateway.own(500, "");
		RunRecord run = run(Trigger.MANUAL);
		assertThat(this.gateway.requests).containsOnly("POST /users");
		assertThat(run.verdict()).hasValue(Verdict.FAILED);
		assertThat(run.reason()).hasValueSatisfying((reason) -> assertThat(reason).startsWith("POST /users 500"));
	}

	@Test
	void theWaitForARouteIsNoPartOfTheRunAndItsReasonIsLogged() {
		AtomicInteger count = new AtomicInteger();
		AtomicInteger news = new AtomicInteger();
		this.gateway.onNews = () -> this.gateway.gatewaysOwn((news.incrementAndGet() < 4) ? 404 : 204);
		this.gateway.script = (request) -> (count.incrementAndGet() < 3) ? this.gateway.gatewaysOwn(503)
				: this.gateway.own(200, "");
		this.budget = Duration.ofSeconds(5);
		try (CapturedLog log = CapturedLog.of(WarmupRun.class)) {
			CompletableFuture<RunRecord> run = new WarmupRun(parts(), "r-1", Trigger.STARTUP, null).execute()
				.toFuture();
			Awaitility.await().atMost(TIMEOUT).until(() -> count.get() > 20);
			assertThat(log.lines()).anySatisfy((line) -> assertThat(line).contains("does not know host:8080 yet"))
				.anySatisfy((line) -> assertThat(line).contains("GET /rooms through gateway gw-1: 503"));
			assertThat(run).succeedsWithin(TIMEOUT)
				.satisfies((ended) -> assertThat(ended.verdict()).hasValue(Verdict.WARM))
				.satisfies((ended) -> assertThat(ended.failed()).isZero());
		}
	}

	@Test
	void aPathThatTheGatewayDoesNotRouteHidesNoOther() {
		this.scenarios = "{ name: only, requests: [GET /unknown, GET /rooms] }";
		this.gateway.script = (request) -> request.contains("unknown") ? this.gateway.gatewaysOwn(404)
				: this.gateway.own(200, "");
		RunRecord run = run(Trigger.STARTUP);
		assertThat(run.verdict()).hasValue(Verdict.DEGRADED);
		assertThat(run.reason()).hasValue("GET /unknown 404 (expected 2xx), the gateway itself answered");
	}

	@Test
	void withoutARouteARunOnDemandEndsWithItsBudgetAndTheReason() {
		this.located = Mono.just(List.of());
		RunRecord run = run(Trigger.MANUAL);
		assertThat(run.verdict()).hasValue(Verdict.FAILED);
		assertThat(run.reason()).hasValue("no gateway was found: there are no gateways of the test");
		assertThat(run.sent()).isZero();
	}

	@Test
	void anInstanceThatNoGatewayCanReachIsFailedAtOnceAndTheReasonNamed() {
		this.gateway.onNews = () -> this.gateway.gatewaysOwn(502)
			.withBody("cannot reach 10.0.3.7:8080: NetworkPolicy".getBytes(StandardCharsets.UTF_8));
		RunRecord run = run(Trigger.STARTUP);
		assertThat(run.verdict()).hasValue(Verdict.FAILED);
		assertThat(run.reason()).hasValue("gateway gw-1 cannot reach 10.0.3.7:8080: NetworkPolicy");
		assertThat(this.gateway.requests).isEmpty();
		assertThat(this.gate.isOpen()).isTrue();
	}

	@Test
	void aGatewayWithoutTheLibraryIsNotWaitedFor() {
		this.gateway.onNews = () -> FakeGateway.Answer.plain(404);
		RunRecord run = run(Trigger.STARTUP);
		assertThat(run.verdict()).hasValue(Verdict.FAILED);
		assertThat(run.reason())
			.hasValueSatisfying((reason) -> assertThat(reason).contains("does not answer as one with warmup-common"));
		assertThat(this.gateway.requests).isEmpty();
		assertThat(this.gate.isOpen()).isTrue();
	}

	@Test
	void withNowhereToLookForGatewaysTheGateIsNotKeptWaiting() {
		this.available = false;
		RunRecord run = run(Trigger.STARTUP);
		assertThat(run.verdict()).hasValue(Verdict.SKIPPED);
		assertThat(run.reason()).hasValue("gateways of the test");
		assertThat(this.gate.isOpen()).isTrue();
	}

	@Test
	void withNowhereToLookForGatewaysAGateThatWaitsForAWarmRunStaysClosed() {
		this.available = false;
		this.opensOnFailure = false;
		assertThat(run(Trigger.STARTUP).verdict()).hasValue(Verdict.FAILED);
		assertThat(this.gate.isOpen()).isFalse();
	}

	@Test
	void withNothingToSendTheGateOpensAtOnceAndGatewaysGetNews() {
		this.scenarios = "{ name: only, service: other-service, requests: [GET /rooms] }";
		RunRecord run = run(Trigger.STARTUP);
		assertThat(run.verdict()).hasValue(Verdict.SKIPPED);
		assertThat(run.reason()).hasValueSatisfying((reason) -> assertThat(reason).contains("has no scenario for"));
		assertThat(events(GateOpened.class)).hasSize(1);
		assertThat(parts().state().phase()).isEqualTo(Phase.WARM);
		Awaitility.await().atMost(TIMEOUT).until(() -> !this.gateway.news.isEmpty());
	}

	@Test
	void aRunGoesThroughAllGatewaysByTurnsEachScenarioThroughEach() {
		this.located = Mono.just(List.of(this.gateway.gateway(), this.other.gateway()));
		this.scenarios = "{ name: a, requests: [GET /a] }\n  - { name: b, requests: [GET /b] }";
		RunRecord run = run(Trigger.MANUAL);
		assertThat(run.gateways()).containsExactlyInAnyOrder("gw-1", "gw-2");
		assertThat(this.gateway.requests).contains("GET /a", "GET /b");
		assertThat(this.other.requests).contains("GET /a", "GET /b");
		assertThat(this.gateway.marks.get(0).token()).isNotEqualTo(this.other.marks.get(0).token());
	}

	@Test
	void aGatewayThatHangsIsLeftOut() {
		this.located = Mono.just(List.of(this.other.gateway(), this.gateway.gateway()));
		this.scenarios = "{ name: only, requests: [{ method: GET, path: /a, timeout: 200ms },"
				+ " { method: GET, path: /b, timeout: 200ms }] }";
		this.other.script = (request) -> {
			this.other.onNews = () -> this.other.gatewaysOwn(204).after(Duration.ofMinutes(1));
			return this.other.own(200, "").after(Duration.ofMinutes(1));
		};
		this.budget = Duration.ofSeconds(12);
		try (CapturedLog log = CapturedLog.of(WarmupRun.class)) {
			assertThat(new WarmupRun(parts(), "r-1", Trigger.STARTUP, null).execute().toFuture())
				.succeedsWithin(TIMEOUT)
				.satisfies((ended) -> assertThat(ended.verdict()).hasValue(Verdict.WARM))
				.satisfies((ended) -> assertThat(ended.gateways()).containsExactly("gw-1"));
			assertThat(log.lines()).anySatisfy((line) -> assertThat(line).contains("gw-2 cannot be reached"));
		}
		assertThat(this.other.requests).hasSizeLessThan(3);
	}

	@Test
	void atMostThreeGatewaysAreWarmedTheNearestFirst() {
		FakeGateway third = new FakeGateway("gw-3");
		FakeGateway fourth = new FakeGateway("gw-4");
		this.located = Mono
			.just(List.of(this.gateway.gateway(), this.other.gateway(), third.gateway(), fourth.gateway()));
		RunRecord run = run(Trigger.MANUAL);
		third.close();
		fourth.close();
		assertThat(run.gateways()).containsExactlyInAnyOrder("gw-1", "gw-2", "gw-3");
	}

	@Test
	void admissionIsWaitedForOutsideOfTheBudget() {
		AtomicInteger count = new AtomicInteger();
		this.gateway.script = (request) -> (count.incrementAndGet() % 20 != 1)
				? this.gateway.gatewaysOwn(429).with(WarmupHeader.ADMISSION, "wait") : this.gateway.own(200, "");
		RunRecord run = run(Trigger.MANUAL);
		assertThat(run.verdict()).hasValue(Verdict.WARM);
		assertThat(run.failed()).isZero();
		assertThat(run.took()).isGreaterThan(this.budget.multipliedBy(5));
	}

	@Test
	void anyOther429IsAnAnswerThatIsNamedWithWhatToDo() {
		this.gateway.script = (request) -> FakeGateway.Answer.plain(429).with("Retry-After", "30");
		RunRecord run = run(Trigger.STARTUP);
		assertThat(run.verdict()).hasValue(Verdict.FAILED);
		assertThat(run.reason())
			.hasValueSatisfying((reason) -> assertThat(reason).contains("429 (expected 2xx)").contains("rate limiter"));
		assertThat(this.gate.isOpen()).isTrue();
	}

	@Test
	void aGatewayThatDoesNotKnowTheTokenAnymoreGetsNewsAndTheRequestOnceMore() {
		AtomicInteger count = new AtomicInteger();
		this.gateway.script = (request) -> (count.incrementAndGet() == 2) ? this.gateway.gatewaysOwn(401)
				: this.gateway.own(200, "");
		RunRecord run = run(Trigger.MANUAL);
		assertThat(run.verdict()).hasValue(Verdict.WARM);
		assertThat(run.failed()).isZero();
		assertThat(this.gateway.news).hasSizeGreaterThan(1);
	}

	@Test
	void whatAnswersInPlaceOfTheInstanceNeverMakesItWarm() {
		this.gateway.script = (request) -> this.gateway.routed("chat-service", 200, "");
		RunRecord run = run(Trigger.MANUAL);
		assertThat(run.verdict()).hasValue(Verdict.FAILED);
		assertThat(run.reason())
			.hasValueSatisfying((reason) -> assertThat(reason).contains("200, a cache, a circuit breaker's fallback"));
		this.gateway.script = (request) -> this.gateway.own(200, "").with(WarmupHeader.INSTANCE, "another:8080");
		assertThat(run(Trigger.MANUAL).verdict()).hasValue(Verdict.FAILED);
	}

	@Test
	void answersOfOtherServicesCountApart() {
		this.scenarios = "{ name: only, requests: [GET /foreign, GET /own] }";
		this.gateway.script = (request) -> request.contains("foreign") ? this.gateway.routed("search", 200, "")
				: this.gateway.own(200, "");
		RunRecord run = run(Trigger.MANUAL);
		assertThat(run.verdict()).hasValue(Verdict.WARM);
		this.gateway.script = (request) -> this.gateway.routed("search", 200, "");
		RunRecord foreign = run(Trigger.MANUAL);
		assertThat(foreign.verdict()).hasValue(Verdict.DEGRADED);
		assertThat(foreign.reason())
			.hasValueSatisfying((reason) -> assertThat(reason).startsWith("no answer was this instance's own"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "EUC-KR", "UTF-16", "UTF-8" })
	void answersAreReadInTheirCharsetWithoutAByteOrderMarkAndDecompressed(String charset) throws IOException {
		this.scenarios = "{ name: only, requests: [{ method: GET, path: /names, expect: { status: 200,"
				+ " json: { $.name: 한글 } } }] }";
		String json = (charset.equals("UTF-8") ? "\uFEFF" : "") + "{\"name\":\"한글\"}";
		ByteArrayOutputStream compressed = new ByteArrayOutputStream();
		try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
			gzip.write(json.getBytes(Charset.forName(charset)));
		}
		this.gateway.script = (request) -> this.gateway.own(200, "")
			.with("Content-Type", "application/json;charset=" + charset)
			.with("Content-Encoding", "gzip")
			.withBody(compressed.toByteArray());
		assertThat(run(Trigger.MANUAL).reason()).isEmpty();
	}

	@Test
	void redirectsAreAnswersAndNotFollowed() {
		this.gateway.script = (request) -> this.gateway.own(302, "").with("Location", "/elsewhere");
		assertThat(run(Trigger.MANUAL).reason())
			.hasValueSatisfying((reason) -> assertThat(reason).contains("redirects are not followed"));
		assertThat(this.gateway.requests).containsOnly("GET /rooms");
	}

	@Test
	void tasksRunFirstAndOneThatFailsDoesNotEndTheRun() {
		AtomicInteger sentBefore = new AtomicInteger(-1);
		this.tasks = List.of(WarmupTask.of("broken", () -> {
			sentBefore.set(this.gateway.requests.size());
			throw new IllegalStateException("no disk");
		}));
		RunRecord run = run(Trigger.MANUAL);
		assertThat(sentBefore).hasValue(0);
		assertThat(run.verdict()).hasValue(Verdict.WARM);
	}

	@Test
	void theDeadlineEndsARunWhateverHangs() {
		this.deadline = Duration.ofMillis(500);
		this.located = Mono.never();
		assertThat(run(Trigger.STARTUP).verdict()).hasValue(Verdict.FAILED);
		assertThat(this.gate.isOpen()).isTrue();
		this.located = Mono.just(List.of(this.gateway.gateway()));
		this.gateway.script = (request) -> this.gateway.own(200, "").after(Duration.ofMinutes(1));
		RunRecord run = run(Trigger.STARTUP);
		assertThat(run.verdict()).hasValue(Verdict.FAILED);
		assertThat(run.requests()).hasSize(1);
	}

	@Test
	void aRunThatIsStoppedCleansUpFirstAndLeavesTheGateAsItIs() {
		this.scenarios = USERS;
		this.gateway.script = (request) -> request.startsWith("POST") ? this.gateway.own(201, "{\"id\":7}")
				: request.startsWith("GET") ? this.gateway.own(200, "").after(Duration.ofMinutes(1))
						: this.gateway.own(204, "");
		WarmupRun run = new WarmupRun(parts(), "r-1", Trigger.STARTUP, null);
		CompletableFuture<RunRecord> ended = run.execute().toFuture();
		Awaitility.await().atMost(TIMEOUT).until(() -> this.gateway.requests.contains("GET /users/7"));
		this.gate.leave();
		assertThat(run.stop().blockOptional(TIMEOUT)).isEmpty();
		assertThat(ended).succeedsWithin(TIMEOUT);
		assertThat(this.gateway.requests).containsExactly("POST /users", "GET /users/7", "DELETE /users/7");
		assertThat(this.gate.isOpen()).isFalse();
	}

	@Test
	void noTokenReachesARecordOrALog() {
		try (CapturedLog log = CapturedLog.of("dev.warmup.run")) {
			this.gateway.script = (request) -> this.gateway.own(500, "");
			RunRecord run = run(Trigger.MANUAL);
			String token = this.gateway.marks.get(0).token().value();
			assertThat(run.toString() + log.lines() + this.events).doesNotContain(token);
			assertThat(token.getBytes(StandardCharsets.UTF_8)).hasSize(43);
		}
	}

	@Test
	void aCustomizersFiltersLogInAheadOfTheMarkAndOnlyForWarmUpRequests() {
		List<HttpHeaders> seen = new CopyOnWriteArrayList<>();
		MutableClock time = new MutableClock();
		this.clock = time;
		this.budget = Duration.ofMinutes(10);
		this.customizers = List.of((builder) -> builder.filter((request, next) -> {
			seen.add(request.headers());
			time.advance(Duration.ofMinutes(1));
			return next.exchange(ClientRequest.from(request).headers((all) -> all.setBearerAuth("login")).build());
		}), (builder) -> builder.clientConnector((method, uri, request) -> Mono.error(new IllegalStateException())));
		this.gateway.script = (request) -> this.gateway.own(302, "").with("Location", "/elsewhere");
		this.scenarios = "{ name: only, requests: [{ path: /rooms, expect: { status: 302 } }] }";
		RunRecord run = run(Trigger.MANUAL);
		assertThat(run.verdict()).hasValue(Verdict.WARM);
		assertThat(this.gateway.logins).hasSameSizeAs(this.gateway.requests).containsOnly("Bearer login");
		assertThat(this.gateway.requests).hasSameSizeAs(this.gateway.marks).containsOnly("GET /rooms");
		assertThat(seen).hasSameSizeAs(this.gateway.requests)
			.allSatisfy((headers) -> assertThat(headers.containsHeader(WarmupHeader.NAME)).isFalse());
		assertThat(run.p50()).as("without the login").hasValue(Duration.ZERO);
	}

	@Test
	void aLoginThatFailsIsARequestWithoutAnAnswerAndTriedAgain() {
		AtomicInteger count = new AtomicInteger();
		this.customizers = List.of((builder) -> builder.filter((request, next) -> switch (count.incrementAndGet()) {
			case 2 -> throw new IllegalStateException("broken filter");
			case 3 -> Mono.error(new IllegalStateException("[invalid_token_response] no token"));
			default -> next.exchange(request);
		}));
		try (CapturedLog log = CapturedLog.of(WarmupRun.class)) {
			RunRecord run = run(Trigger.MANUAL);
			assertThat(run.verdict()).hasValue(Verdict.WARM);
			assertThat(run.failed()).isEqualTo(2);
			assertThat(run.requests().get(0).problem()).hasValue("GET /rooms broken filter");
			assertThat(log.lines()).noneMatch((line) -> line.startsWith("ERROR"));
		}
	}

	@Test
	void whereNobodyLogsInTheReasonIsTheLoginServersError() {
		this.customizers = List
			.of((builder) -> builder.filter((request, next) -> Mono.error(new IllegalStateException("no token"))));
		RunRecord run = run(Trigger.MANUAL);
		assertThat(run.verdict()).hasValue(Verdict.FAILED);
		assertThat(run.reason()).hasValue("GET /rooms through gateway gw-1: no token");
		assertThat(this.gateway.requests).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(ints = { 401, 403 })
	void whereAllAnswersRefuseTheLoginTheReasonNamesTheTwoWaysToLogIn(int status) {
		this.gateway.script = (request) -> this.gateway.own(status, "");
		RunRecord run = run(Trigger.MANUAL);
		assertThat(run.verdict()).hasValue(Verdict.FAILED);
		assertThat(run.reason()).hasValueSatisfying((reason) -> assertThat(reason).contains("WarmupClientCustomizer")
			.contains("{{file:/")
			.contains("{{env.WARMUP_"));
		assertThat(this.gateway.requests).as("the instance's answer says nothing of the token")
			.hasSize((int) run.sent());
	}

	@ParameterizedTest
	@ValueSource(strings = { "headers: { X-Login: '{{file:%1$s}}' }", "headers: { X-Login: '{{login}}' }" })
	void aFileIsReadAtEachUseAndWhileItIsMissingItsRequestIsNotSent(String headers, @TempDir Path folder)
			throws IOException {
		Path file = Files.writeString(folder.resolve("login"), "s3cret-1\n");
		this.catalog = Optional.of(read(("version: 1\nvariables: { login: '{{file:%1$s}}' }\nscenarios:\n"
				+ "  - { name: only, requests: [{ path: /rooms, " + headers + " }, GET /open] }")
			.formatted(file)));
		AtomicInteger count = new AtomicInteger();
		this.gateway.script = (request) -> {
			change(file, count.incrementAndGet());
			return this.gateway.own(200, "");
		};
		try (CapturedLog log = CapturedLog.of("dev.warmup")) {
			RunRecord run = run(Trigger.MANUAL);
			assertThat(this.gateway.logins).startsWith("s3cret-1").contains("s3cret-2");
			assertThat(run.verdict()).hasValue(Verdict.DEGRADED);
			assertThat(run.reason()).hasValue(
					"GET /rooms was not sent: the file '%s' cannot be read: it is no readable file outside of /proc"
						.formatted(file));
			assertThat(run.requests().get(0).sent()).isLessThan(run.requests().get(1).sent());
			assertThat(run + log.lines().toString()).doesNotContain("s3cret");
		}
	}

	/** Rotates it, and later removes it. */
	private static void change(Path file, int count) {
		try {
			if (count == 2) {
				Files.writeString(file, "s3cret-2\r\n");
			}
			else if (count == 4) {
				Files.delete(file);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Test
	void anEndpointOfTheGatewayItselfIsNamedWithTheCatalogThatItBelongsTo() {
		this.scenarios = "{ name: only, requests: [GET /summary, GET /rooms] }";
		this.gateway.script = (request) -> request.contains("summary") ? this.gateway.gatewaysOwn(200)
				: this.gateway.own(200, "");
		RunRecord run = run(Trigger.MANUAL);
		assertThat(run.verdict()).hasValue(Verdict.DEGRADED);
		assertThat(run.reason()).hasValueSatisfying(
				(reason) -> assertThat(reason).startsWith("GET /summary 200, the gateway itself answered")
					.contains("a catalog of the gateway"));
	}

}
