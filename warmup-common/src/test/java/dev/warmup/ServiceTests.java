package dev.warmup;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.WireMock;
import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.SignedClaim;
import dev.warmup.protocol.WarmupKey;
import dev.warmup.run.RunListener;
import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpMethod;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

import static dev.warmup.RunningApplication.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What holds for every service, WebFlux on Netty or Spring MVC on Tomcat: it was started
 * behind a gateway that could not route to it yet, was looked at, and then warmed. The
 * gateway is a proxy that accepts the instance, passes headers on and takes reports.
 */
@ParameterizedClass
@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ServiceTests {

	private static final int REPETITIONS = 10;

	private static final String UNSIGNED = "instance=other-1; run=by-hand";

	private WireMockServer gateway;

	@Parameter
	private WebApplicationType type;

	private RunningApplication service;

	private int readyBefore;

	private int startBefore;

	private int liveness;

	private JsonNode statusBefore;

	private JsonNode statusAfter;

	private JsonNode statusAfterUser;

	@BeforeParameterizedClassInvocation
	void warm() {
		this.gateway = RunningApplication.stub();
		boolean servlet = this.type == WebApplicationType.SERVLET;
		this.service = RunningApplication.service(servlet ? ServletService.class : ReactiveService.class, this.type,
				LenientCriteria.and("spring.application.name=chat-service",
						"warmup.gateway.url=" + this.gateway.baseUrl(), "warmup.catalog=classpath:dev/warmup/rooms.yml",
						"warmup.startup.min-repetitions=" + REPETITIONS,
						"warmup.startup.max-repetitions=" + REPETITIONS, "warmup.gate.on-failure=closed",
						"warmup.idle.after=2h", "warmup.idle.jitter=0", "warmup.startup.budget=90s",
						"management.endpoint.warmup.access=unrestricted",
						"spring.jackson.property-naming-strategy=SNAKE_CASE",
						"management.endpoint.health.probes.add-additional-paths=true"));
		this.readyBefore = this.service.get("/.warmup/ready").statusCode();
		this.startBefore = this.service.send(HttpMethod.POST, "/actuator/warmup", "").statusCode();
		this.statusBefore = this.service.json("/actuator/warmup");
		this.service.warmThrough(this.gateway, "/chat-service");
		this.service.awaitReady();
		this.service.awaitEndOfRuns();
		this.liveness = this.service.get("/livez").statusCode();
		this.statusAfter = this.service.json("/actuator/warmup");
		this.service.get("/rooms");
		this.statusAfterUser = this.service.json("/actuator/warmup");
	}

	@AfterParameterizedClassInvocation
	void stop() {
		this.service.close();
		this.gateway.stop();
	}

	@Test
	void gateOpensWithTheFirstRunsEnd() {
		assertThat(this.readyBefore).isEqualTo(503);
		assertThat(this.statusBefore.path("gate").asString()).isEqualTo("CLOSED");
		assertThat(this.statusBefore.path("phase").asString()).isEqualTo("COLD");
		assertThat(this.statusBefore.path("runs")).isEmpty();
		assertThat(this.service.get("/.warmup/ready").statusCode()).isEqualTo(200);
		assertThat(this.statusAfter.path("gate").asString()).isEqualTo("OPEN");
		assertThat(this.statusAfter.path("phase").asString()).isEqualTo("WARM");
		assertThat(instant(this.statusAfter.path("since"))).isAfter(instant(this.statusBefore.path("since")));
	}

	@Test
	void statusShowsTheRunByTheNamesOfTheContractWithTimesInIso8601() {
		assertThat(this.statusAfter.propertyNames()).containsExactly("service", "instanceId", "phase", "since", "gate",
				"runs", "idle");
		assertThat(this.statusAfter.path("idle").propertyNames()).containsExactly("after", "lastUserRequest", "next");
		assertThat(this.statusAfter.path("runs")).hasSize(1);
		JsonNode run = this.statusAfter.at("/runs/0");
		JsonNode request = run.at("/requests/0");
		assertThat(run.propertyNames()).contains("id", "trigger", "verdict", "gateway", "startedAt", "took", "sent",
				"failed", "first", "steadyP50", "steadyP95", "ratio", "jit", "classesLoaded", "requests");
		assertThat(texts(this.statusAfter, "/service", "/idle/after")).containsExactly("chat-service", "PT2H");
		assertThat(texts(run, "/trigger", "/verdict", "/gateway", "/sent", "/failed")).containsExactly("STARTUP",
				"WARM", this.gateway.baseUrl(), "" + 2 * REPETITIONS, "0");
		assertThat(texts(request, "/scenario", "/name", "/sent", "/failed")).containsExactly("rooms", "list",
				"" + REPETITIONS, "0");
		assertThat(List.of(run.path("reason"), request.path("problem"))).allMatch(JsonNode::isNull);
		assertThat(request.path("steady").isBoolean()).isTrue();
		assertThat(run.path("ratio").isNumber()).isTrue();
		for (String name : List.of("took", "waited", "first", "steadyP50", "steadyP95", "jit")) {
			assertThat(Duration.parse(run.path(name).asString())).as(name).isGreaterThanOrEqualTo(Duration.ZERO);
		}
		for (String name : List.of("first", "p50", "p95")) {
			assertThat(Duration.parse(request.path(name).asString())).as(name).isPositive();
		}
		assertThat(instant(run.path("startedAt"))).isBefore(instant(this.statusAfter.path("since")));
	}

	@Test
	void onlyUsersCountAsUserActivityAndNoProbe() {
		assertThat(this.liveness).isEqualTo(200);
		assertThat(this.statusAfter.at("/idle/lastUserRequest").isNull()).isTrue();
		Instant user = instant(this.statusAfterUser.at("/idle/lastUserRequest"));
		assertThat(user).isAfter(instant(this.statusAfter.path("since")));
		assertThat(instant(this.statusAfterUser.at("/idle/next"))).isAfterOrEqualTo(user.plus(Duration.ofHours(2)));
	}

	@Test
	void runIsStartedOnDemandUnlessOneIsUnderWay() {
		assertThat(this.startBefore).isEqualTo(409);
		assertThat(this.service.send(HttpMethod.POST, "/actuator/warmup", "").statusCode()).isEqualTo(202);
		await(() -> this.service.json("/actuator/warmup").at("/runs/0/trigger").asString().equals("MANUAL"));
	}

	@Test
	void onlyItsOwnWarmupIsMarkedAndNamesTheInstance() {
		HttpResponse<String> warmup = this.service.get("/rooms", "X-Warmup", ownClaim());
		assertThat(warmup.body()).isEqualTo("{\"warmup\":true,\"run\":\"by-hand\"}");
		assertThat(warmup.headers().allValues("X-Warmup-Instance")).containsExactly(instanceId());
		for (HttpResponse<String> user : List.of(this.service.get("/rooms"),
				this.service.get("/rooms", "X-Warmup", UNSIGNED),
				this.service.get("/rooms", "X-Warmup", ownClaim() + ", " + ownClaim()))) {
			assertThat(user.body()).isEqualTo("{\"warmup\":false,\"run\":\"\"}");
			assertThat(user.headers().map()).doesNotContainKey("x-warmup-instance");
		}
	}

	@Test
	void warmupOfAnotherIsRejectedAsMisdirected() {
		WarmupKey key = this.service.bean(WarmupKey.class);
		for (String claim : List.of(key.claim("other-1", "gateway", SignedClaim.Scope.REPLAY, "by-hand").format(),
				key.claim(instanceId(), "gateway", SignedClaim.Scope.REPORT, "by-hand").format(),
				Claims.replay(instanceId(), "by-hand"))) {
			HttpResponse<String> answer = this.service.get("/rooms", "X-Warmup", claim);
			assertThat(answer.statusCode()).isEqualTo(421);
			assertThat(answer.body()).isEmpty();
			assertThat(answer.headers().map()).doesNotContainKey("x-warmup-instance");
		}
		await(() -> this.service.count("http.server.requests", "status:421", "warmup:false") >= 3);
		assertThat(this.service.count("http.server.requests", "status:421", "warmup:true")).isZero();
	}

	@Test
	void requestsAreTagged() {
		assertThat(this.service.count("http.server.requests", "uri:/rooms/%7Bname%7D", "warmup:true"))
			.isGreaterThanOrEqualTo(REPETITIONS);
		assertThat(this.service.count("http.server.requests", "uri:/rooms/%7Bname%7D", "warmup:false")).isZero();
		this.service.get("/rooms");
		await(() -> this.service.count("http.server.requests", "uri:/rooms", "warmup:false") > 0);
	}

	@Test
	void tracesOfWarmupAreSyntheticAndOtherObservationsAreLeftAlone() {
		Observation.createNotStarted("other", this.service.bean(ObservationRegistry.class)).observe(() -> {
		});
		Set<String> observed = this.service.bean(Observations.class).stopped;
		await(() -> observed.size() >= 3);
		assertThat(observed).containsExactlyInAnyOrder("http.server.requests true test",
				"http.server.requests false null", "other null null");
	}

	@Test
	void listenerOfTheApplicationIsCalled() {
		assertThat(this.service.bean(Runs.class).ended).contains(this.statusAfter.at("/runs/0/id").asString());
	}

	@Test
	void requestsOfProbesAreNoUsers() {
		this.service.get("/.warmup/ready");
		assertThat(this.service.get("/.warmup/nothing").statusCode()).isEqualTo(404);
		this.service.get("/nothing");
		await(() -> this.service.count("http.server.requests", "status:404", "warmup:false") > 0);
		await(() -> this.service.count("http.server.requests", "status:404", "warmup:true") > 0);
		assertThat(this.service.count("http.server.requests", "status:503", "warmup:false"))
			.as("of probes before the gate opened")
			.isZero();
	}

	@Test
	void runsAreMetered() {
		assertThat(this.service.count("warmup.run", "trigger:startup", "verdict:warm")).isEqualTo(1);
		assertThat(this.service.count("warmup.request", "scenario:rooms", "request:list", "outcome:expected"))
			.isGreaterThanOrEqualTo(REPETITIONS);
		assertThat(this.service.count("warmup.phase", "phase:warm")).isEqualTo(1);
		assertThat(this.service.count("warmup.phase", "phase:cold")).isZero();
		assertThat(this.service.get("/actuator/metrics/warmup.run?tag=trigger:idle&tag=verdict:timed_out").statusCode())
			.as("counted from zero")
			.isEqualTo(200);
		for (String meter : List.of("warmup.run", "warmup.request", "warmup.phase")) {
			JsonNode described = this.service.json("/actuator/metrics/" + meter);
			assertThat(texts(described, "/description", "/baseUnit")).as(meter).noneMatch(String::isBlank);
		}
	}

	@Test
	void runIsReportedToTheGatewayAfterItsRegistrationCheck() {
		LoggedRequest first = this.gateway.findAll(WireMock.anyRequestedFor(WireMock.anyUrl())).get(0);
		assertThat(first.getMethod().getName() + " " + first.getUrl())
			.isEqualTo("GET /.warmup/instances/" + instanceId());
		String id = this.statusAfter.at("/runs/0/id").asString();
		List<LoggedRequest> reports = this.gateway
			.findAll(WireMock.putRequestedFor(WireMock.urlPathEqualTo("/.warmup/runs/" + id))
				.withRequestBody(WireMock.notContaining("WARMING")));
		assertThat(reports).hasSize(1);
		JsonNode body = JsonMapper.shared().readTree(reports.get(0).getBodyAsString());
		assertThat(texts(body, "/service", "/instanceId", "/phase")).containsExactly("chat-service", instanceId(),
				"WARM");
		assertThat(body.path("run")).isEqualTo(this.statusAfter.at("/runs/0"));
		assertThat(reports.get(0).getHeader("X-Warmup"))
			.matches("instance=" + Pattern.quote(instanceId()) + "; run=" + id + "; jwt=[\\w.-]+");
	}

	private String ownClaim() {
		return this.service.bean(WarmupKey.class)
			.claim(instanceId(), "gateway", SignedClaim.Scope.REPLAY, "by-hand")
			.format();
	}

	private String instanceId() {
		return this.statusAfter.path("instanceId").asString();
	}

	private static List<String> texts(JsonNode tree, String... pointers) {
		return Stream.of(pointers).map((pointer) -> tree.at(pointer).asString("")).toList();
	}

	private static Instant instant(JsonNode value) {
		return Instant.parse(value.asString());
	}

	/** What a handler saw of the mark. */
	record Mark(boolean warmup, String run) {

		static Mark of(Optional<WarmupContext> context) {
			return new Mark(context.isPresent(), context.map(WarmupContext::runId).orElse(""));
		}

	}

	/** The name of each observation, and how it is tagged. */
	static class Observations implements ObservationHandler<Observation.Context> {

		private final Set<String> stopped = ConcurrentHashMap.newKeySet();

		@Override
		public boolean supportsContext(Observation.Context context) {
			return true;
		}

		@Override
		public void onStop(Observation.Context context) {
			this.stopped.add(context.getName() + " " + value(context.getLowCardinalityKeyValue("warmup")) + " "
					+ value(context.getHighCardinalityKeyValue("user_agent.synthetic.type")));
		}

		private static @Nullable String value(@Nullable KeyValue tag) {
			return (tag != null) ? tag.getValue() : null;
		}

	}

	/** The ids of the runs. */
	static class Runs implements RunListener {

		private final List<String> ended = new CopyOnWriteArrayList<>();

		@Override
		public void onRun(RunRecord run) {
			this.ended.add(run.id());
		}

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ Observations.class, Runs.class })
	@RestController
	static class ReactiveService {

		@GetMapping("/rooms")
		Mono<Mark> list() {
			return Mono.deferContextual((context) -> {
				Mark mark = Mark.of(WarmupContext.find(context));
				assertThat(WarmupContext.isWarmup(context)).isEqualTo(mark.warmup());
				return Mono.just(mark);
			});
		}

		@GetMapping("/rooms/{name}")
		Map<String, String> room(@PathVariable String name) {
			return Map.of("name", name);
		}

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ Observations.class, Runs.class })
	@RestController
	static class ServletService {

		@GetMapping("/rooms")
		Mark list(HttpServletRequest request) {
			return Mark.of(Optional.ofNullable((WarmupContext) request.getAttribute(WarmupContext.ATTRIBUTE)));
		}

		@GetMapping("/rooms/{name}")
		Map<String, String> room(@PathVariable String name) {
			return Map.of("name", name);
		}

	}

}
