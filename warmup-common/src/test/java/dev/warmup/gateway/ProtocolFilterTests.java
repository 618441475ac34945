package dev.warmup.gateway;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

import dev.warmup.CapturedLog;
import dev.warmup.Claims;
import dev.warmup.MutableClock;
import dev.warmup.RunningApplication;
import dev.warmup.discovery.ClaimVerifier;
import dev.warmup.discovery.InstanceLookup;
import dev.warmup.loadbalancer.RoutableInstances;
import dev.warmup.protocol.Gate;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.RunReport;
import dev.warmup.protocol.SignedClaim;
import dev.warmup.protocol.WarmupClaim;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.ArgumentMatchers;
import org.mockito.Mockito;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cloud.client.DefaultServiceInstance;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.core.annotation.Order;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.server.WebFilter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/** The protocol endpoints of a real gateway whose security rejects all other requests. */
class ProtocolFilterTests {

	private static final String ID = "host:chat-service:8080";

	private static final String PATH = "/.warmup/instances/" + ID;

	private static RunningApplication gateway;

	private static RoutableInstances routable;

	@BeforeAll
	static void start() {
		gateway = new GatewayFixture().with("warmup.gate.enabled=false")
			.instances("chat-service", "http://localhost:1", ID, "another")
			.start(Gateway.class);
		routable = gateway.bean(RoutableInstances.class);
	}

	@AfterAll
	static void stop() {
		gateway.close();
	}

	@BeforeEach
	void forget() {
		Mockito.clearInvocations(routable);
	}

	@Test
	void otherPathsAreLeftToSecurity() {
		assertThat(gateway.get("/rooms", "X-Warmup", claim(SignedClaim.Scope.REPLAY)).statusCode()).isEqualTo(401);
	}

	@Test
	void probeIsAnsweredWithoutAClaim() {
		assertThat(gateway.get("/.warmup/ready").statusCode()).isEqualTo(200);
	}

	@Test
	void registrationOfAKnownInstanceIsAccepted() {
		assertThat(send(HttpMethod.GET, PATH, claim(SignedClaim.Scope.REPLAY))).isEqualTo(204);
		Mockito.verify(routable).registered(hasId());
	}

	@ParameterizedTest
	@MethodSource("forged")
	void registrationWithAForgedClaimIsNotFound(String claim) {
		assertThat(send(HttpMethod.GET, PATH, claim)).isEqualTo(404);
		Mockito.verifyNoInteractions(routable);
	}

	static Stream<String> forged() {
		return Stream.of(Claims.replay("unknown", "r"), "true", "", "instance=" + ID + "; run=r",
				Claims.of("another", ID, SignedClaim.Scope.REPLAY, "r"), claim(SignedClaim.Scope.REPORT),
				claim(SignedClaim.Scope.LEAVE));
	}

	@Test
	void actuatorAtTheRoutedPortIsLoggedOnce() {
		SignedClaim signed = SignedClaim
			.read(WarmupClaim.parse(claim(SignedClaim.Scope.REPLAY)).orElseThrow().jwt().orElseThrow())
			.orElseThrow();
		ClaimVerifier.Verification verified = new ClaimVerifier.Verification.Verified(signed, Optional
			.of(new DefaultServiceInstance(ID, "CHAT", "localhost", 8080, false, Map.of("management.port", "8080"))));
		try (CapturedLog log = CapturedLog.of(ProtocolFilter.class)) {
			ProtocolFilter filter = filter(verified);
			answer(filter, HttpMethod.GET);
			answer(filter, HttpMethod.GET);
			assertThat(log.lines()).singleElement()
				.satisfies((line) -> assertThat(line).startsWith("WARN chat has its actuator"));
		}
	}

	@Test
	void registrationIsForTheClaimantItself() {
		assertThat(send(HttpMethod.GET, "/.warmup/instances/other", claim(SignedClaim.Scope.REPLAY))).isEqualTo(404);
		assertThat(gateway.get(PATH).statusCode()).isEqualTo(404);
		assertThat(gateway
			.get(PATH, "X-Warmup", claim(SignedClaim.Scope.REPLAY), "X-Warmup", claim(SignedClaim.Scope.REPLAY))
			.statusCode()).isEqualTo(404);
	}

	@Test
	void instanceDeregistersItself() {
		assertThat(send(HttpMethod.DELETE, PATH, claim(SignedClaim.Scope.LEAVE))).isEqualTo(204);
		Mockito.verify(routable)
			.leaving(ArgumentMatchers.eq(ID),
					ArgumentMatchers.argThat((known) -> known.orElseThrow().getInstanceId().equals(ID)));
	}

	@Test
	void instanceIsNotDeregisteredByOthers() {
		assertThat(send(HttpMethod.DELETE, PATH, Claims.of("another", ID, SignedClaim.Scope.LEAVE, "r")))
			.isEqualTo(403);
		assertThat(send(HttpMethod.DELETE, PATH, claim(SignedClaim.Scope.REPLAY))).isEqualTo(403);
		assertThat(send(HttpMethod.DELETE, "/.warmup/instances/other", claim(SignedClaim.Scope.LEAVE))).isEqualTo(403);
		assertThat(gateway.send(HttpMethod.DELETE, PATH, "").statusCode()).isEqualTo(403);
		Mockito.verifyNoInteractions(routable);
	}

	@ParameterizedTest
	@EnumSource(Gate.Position.class)
	void reportThatOpensTheGateRoutesUsers(Gate.Position gate) {
		assertThat(put(report("chat-service", gate), claim(SignedClaim.Scope.REPORT))).isEqualTo(204);
		Mockito.verify(routable, Mockito.times((gate == Gate.Position.OPEN) ? 1 : 0)).opened(hasId());
	}

	@ParameterizedTest
	@EnumSource(Gate.Position.class)
	void reportOfARunThatGoesOnRoutesAShareOfUsers(Gate.Position gate) {
		RunReport soFar = new RunReport("chat-service", ID, Phase.RAMPING, gate, report("chat-service", gate).run());
		assertThat(put(soFar, claim(SignedClaim.Scope.REPORT))).isEqualTo(204);
		Mockito.verify(routable, Mockito.times((gate == Gate.Position.OPEN) ? 1 : 0)).ramping(hasId());
		Mockito.verify(routable, Mockito.never()).opened(hasId());
	}

	@Test
	void registrationCheckSaysHowManyOthersTakeUsers() {
		assertThat(gateway.get(PATH, "X-Warmup", claim(SignedClaim.Scope.REPLAY))
			.headers()
			.firstValue("X-Warmup-Siblings")).hasValue("3");
	}

	@Test
	void reportDoesNotOverrideTheRegistry() {
		ServiceInstance instance = new DefaultServiceInstance(ID, "chat-service", "localhost", 1, false);
		for (boolean refused : List.of(true, false)) {
			RoutableInstances routes = Mockito.mock(RoutableInstances.class);
			InstanceLookup registry = new InstanceLookup() {

				@Override
				public Mono<Optional<ServiceInstance>> find(String instanceId) {
					return Mono.just(Optional.of(instance));
				}

				@Override
				public boolean refusesUsers(ServiceInstance each) {
					return refused;
				}

			};
			RunReports reports = new RunReports(new Fleet(Clock.systemUTC()), Optional.of(routes),
					Optional.of(registry), List.of());
			byte[] body = Reports.json(report("chat-service", Gate.Position.OPEN)).getBytes(StandardCharsets.UTF_8);
			StepVerifier
				.create(reports.take(Flux.just(DefaultDataBufferFactory.sharedInstance.wrap(body)),
						WarmupClaim.parse(claim(SignedClaim.Scope.REPORT)).orElseThrow(), Optional.of(instance)))
				.expectNext(HttpStatus.NO_CONTENT)
				.expectComplete()
				.verify(Duration.ofSeconds(30));
			Mockito.verify(routes, Mockito.times(refused ? 0 : 1)).opened(instance);
		}
	}

	@Test
	void serviceNameMayBeInAnyCase() {
		assertThat(put(report("CHAT-service", Gate.Position.OPEN), claim(SignedClaim.Scope.REPORT))).isEqualTo(204);
		Mockito.verify(routable).opened(hasId());
	}

	@Test
	void reportForAnotherServiceIsForbidden() {
		assertThat(put(report("bots", Gate.Position.OPEN), claim(SignedClaim.Scope.REPORT))).isEqualTo(403);
		Mockito.verifyNoInteractions(routable);
		assertThat(gateway.bean(Fleet.class).entries()).extracting(Fleet.Entry::service).doesNotContain("bots");
	}

	@Test
	void reportWithAForgedClaimIsForbidden() {
		assertThat(put(report("chat-service", Gate.Position.OPEN),
				Claims.of("another", ID, SignedClaim.Scope.REPORT, "r")))
			.isEqualTo(403);
		assertThat(put(report("chat-service", Gate.Position.OPEN), claim(SignedClaim.Scope.REPLAY))).isEqualTo(403);
		Mockito.verifyNoInteractions(routable);
	}

	@ParameterizedTest
	@MethodSource("junk")
	void invalidReportIsRejected(String what, Consumer<ObjectNode> change) {
		ObjectNode report = Reports.tree(Reports.warm("chat-service", ID, "r"));
		change.accept(report);
		assertRejected(400, report.toString(), "r", claim(SignedClaim.Scope.REPORT));
	}

	static Stream<Arguments> junk() {
		return Stream.of(junk("another run", (report) -> run(report).put("id", "run-8")),
				junk("another instance", (report) -> report.put("instanceId", "another")),
				junk("a service with a line break", (report) -> report.put("service", "junk\nmallory WARM")),
				junk("a reason with a line break", (report) -> run(report).put("reason", "a\nmallory/m WARM startup")),
				junk("a reason with a carriage return", (report) -> run(report).put("reason", "a\rb")),
				junk("a reason with an escape", (report) -> run(report).put("reason", "a\u001b[2Jb")),
				junk("a reason with a next-line", (report) -> run(report).put("reason", "a\u0085b")),
				junk("a reason with a line separator", (report) -> run(report).put("reason", "a\u2028b")),
				junk("no run", (report) -> report.remove("run")), junk("no phase", (report) -> report.remove("phase")),
				junk("no service", (report) -> report.remove("service")),
				junk("no instance", (report) -> report.remove("instanceId")),
				junk("no run id", (report) -> run(report).remove("id")),
				junk("no verdict", (report) -> run(report).remove("verdict")),
				junk("no trigger", (report) -> run(report).remove("trigger")),
				junk("no time", (report) -> run(report).remove("startedAt")),
				junk("no duration", (report) -> run(report).remove("took")),
				junk("null for a duration", (report) -> run(report).putNull("jit")),
				junk("no requests", (report) -> run(report).remove("requests")),
				junk("null among the requests", (report) -> run(report).putArray("requests").addNull()),
				junk("a strange phase", (report) -> report.put("phase", "BOILING")),
				junk("text for a number", (report) -> run(report).put("sent", "many")),
				junk("an endless duration", (report) -> run(report).put("steadyP50", "PT2562047788015215H")),
				junk("a duration before zero", (report) -> run(report).put("took", "PT-1S")),
				junk("a task with a line break", (report) -> task(report).put("name", "a\nmallory/m WARM startup")),
				junk("a task with an escape", (report) -> task(report).put("name", "a\u001b[2Jb")),
				junk("a task with a long name",
						(report) -> task(report).put("name", "a".repeat(RunRecord.Task.LONGEST_NAME + 1))),
				junk("a task without a name", (report) -> task(report).remove("name")),
				junk("a task that took less than no time", (report) -> task(report).put("took", "PT-1S")),
				junk("a task that took for ever", (report) -> task(report).put("took", "PT2562047788015215H")),
				junk("a task that took no time", (report) -> task(report).remove("took")),
				junk("a problem with a line break", (report) -> task(report).put("problem", "a\nb")),
				junk("a long problem",
						(report) -> task(report).put("problem", "a".repeat(RunRecord.Task.LONGEST_PROBLEM + 1))),
				junk("too many tasks", (report) -> tasks(report, RunRecord.MAX_TASKS + 1)));
	}

	private static Arguments junk(String what, Consumer<ObjectNode> change) {
		return arguments(what, change);
	}

	private static ObjectNode run(ObjectNode report) {
		return (ObjectNode) report.path("run");
	}

	private static ObjectNode task(ObjectNode report) {
		return (ObjectNode) report.at("/run/tasks/0");
	}

	private static void tasks(ObjectNode report, int count) {
		ObjectNode task = task(report);
		ArrayNode tasks = run(report).putArray("tasks");
		for (int i = 0; i < count; i++) {
			tasks.add(task);
		}
	}

	@Test
	void tasksMayReachTheirLimits() {
		ObjectNode report = Reports.tree(Reports.warm("chat-service", ID, "r"));
		task(report).put("name", "a".repeat(RunRecord.Task.LONGEST_NAME))
			.put("problem", "a".repeat(RunRecord.Task.LONGEST_PROBLEM));
		tasks(report, RunRecord.MAX_TASKS);
		assertThat(put("r", report.toString(), claim(SignedClaim.Scope.REPORT))).isEqualTo(204);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "null", "[]", "{}", "hello", "{\"run\":", "\u0000" })
	void bodyMustBeAJsonObject(String body) {
		assertRejected(400, body, "r", claim(SignedClaim.Scope.REPORT));
	}

	@Test
	void reportNeedsAClaimOfTheSameRun() {
		String body = Reports.json(Reports.warm("chat-service", ID, "r"));
		assertRejected(400, body, "r", Claims.of(ID, SignedClaim.Scope.REPORT, "r-4"));
		assertRejected(400, body, "r-4", claim(SignedClaim.Scope.REPORT));
		assertRejected(400, body, "r", Claims.of("another", SignedClaim.Scope.REPORT, "r"));
		assertRejected(400, body, "r", "true");
		assertThat(gateway.send(HttpMethod.PUT, RunReport.PATH + "r", body).statusCode()).isEqualTo(400);
	}

	@Test
	void reportMayHave64KiBAndNoMore() {
		String body = Reports.json(Reports.warm("chat-service", ID, "r"));
		String full = body + " ".repeat(RunReport.MAX_BYTES - body.length());
		assertRejected(413, full + " ", "r", claim(SignedClaim.Scope.REPORT));
		assertThat(put("r", full, claim(SignedClaim.Scope.REPORT))).isEqualTo(204);
	}

	@Test
	void dryRunIsValidatedAndDiscarded() {
		RunReport report = Reports.warm("chat-service", ID, "r");
		List<Fleet.Entry> before = gateway.bean(Fleet.class).entries();
		assertThat(dryRun(Reports.json(report), claim(SignedClaim.Scope.REPORT))).isEqualTo(204);
		assertThat(dryRun("{}", claim(SignedClaim.Scope.REPORT))).isEqualTo(400);
		assertThat(dryRun(Reports.json(report), Claims.of("another", ID, SignedClaim.Scope.REPORT, "r")))
			.isEqualTo(403);
		Mockito.verifyNoInteractions(routable);
		assertThat(gateway.bean(Fleet.class).entries()).isEqualTo(before);
	}

	@ParameterizedTest
	@CsvSource({ "GET, /.warmup", "GET, /.warmup/", "GET, /.warmup/runs/r", "POST, /.warmup/runs/r",
			"GET, /.warmup/rehearsals/r", "PUT, /.warmup/rehearsals", "POST, /.warmup/instances/host:chat-service:8080",
			"PUT, /.warmup/instances/host:chat-service:8080", "GET, /.warmup/instances",
			"GET, /.warmup/instances/host:chat-service:8080/more", "POST, /.warmup/ready", "DELETE, /.warmup/runs/r",
			"GET, /.warmup/gateways/gateway-1" })
	void anythingElseIsNotFound(String method, String path) {
		assertThat(send(HttpMethod.valueOf(method), path, claim(SignedClaim.Scope.REPLAY))).isEqualTo(404);
		Mockito.verifyNoInteractions(routable);
	}

	@ParameterizedTest
	@ValueSource(strings = { "GET", "DELETE" })
	void unavailableRegistryIsAnsweredBy503(String method) {
		MockServerWebExchange exchange = answer(filter(new ClaimVerifier.Verification.Unavailable()),
				HttpMethod.valueOf(method));
		assertThat(exchange.getResponse().getStatusCode()).isEqualTo(HttpStatus.SERVICE_UNAVAILABLE);
		assertThat(exchange.getResponse().getHeaders().getFirst("Retry-After")).isEqualTo("1");
		assertThat(exchange.getResponse().getHeaders().getDate()).isEqualTo(MutableClock.START.toEpochMilli());
	}

	private static ProtocolFilter filter(ClaimVerifier.Verification verification) {
		return new ProtocolFilter(() -> new Instance("gateway", "gateway-1"), (claim, scope) -> Mono.just(verification),
				new RunReports(new Fleet(Clock.systemUTC()), Optional.empty(), Optional.empty(), List.of()),
				Optional.empty(), new MutableClock());
	}

	private static MockServerWebExchange answer(ProtocolFilter filter, HttpMethod method) {
		MockServerWebExchange exchange = MockServerWebExchange
			.from(MockServerHttpRequest.method(method, PATH).header("X-Warmup", claim(SignedClaim.Scope.REPLAY)));
		StepVerifier.create(filter.filter(exchange, (next) -> Mono.error(new AssertionError("went on"))))
			.expectComplete()
			.verify(Duration.ofSeconds(30));
		return exchange;
	}

	private static RunReport report(String service, Gate.Position gate) {
		RunReport open = Reports.warm(service, ID, "r");
		return new RunReport(open.service(), open.instanceId(), open.phase(), gate, open.run());
	}

	private static int put(RunReport report, String claim) {
		return put("r", Reports.json(report), claim);
	}

	private static int put(String run, String body, String claim) {
		return named(gateway.send(HttpMethod.PUT, RunReport.PATH + run, body, "X-Warmup", claim));
	}

	private static void assertRejected(int status, String body, String run, String claim) {
		List<RunRecord> before = gateway.bean(Fleet.class).runs();
		assertThat(put(run, body, claim)).isEqualTo(status);
		assertThat(gateway.bean(Fleet.class).runs()).isEqualTo(before);
		Mockito.verifyNoInteractions(routable);
	}

	private static int dryRun(String body, String claim) {
		return named(gateway.send(HttpMethod.PUT, "/.warmup/rehearsals/r", body, "X-Warmup", claim));
	}

	private static int send(HttpMethod method, String path, String claim) {
		return named(gateway.send(method, path, "", "X-Warmup", claim));
	}

	/** Each response shows that a gateway answers, and nothing of its address. */
	private static int named(HttpResponse<String> answer) {
		assertThat(answer.headers().allValues("X-Warmup-Gateway")).containsExactly("gateway");
		return answer.statusCode();
	}

	private static String claim(SignedClaim.Scope scope) {
		return Claims.of(ID, scope, "r");
	}

	private static ServiceInstance hasId() {
		return ArgumentMatchers.argThat((instance) -> instance.getInstanceId().equals(ID));
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Gateway {

		@Bean
		@Primary
		RoutableInstances recordingInstances() {
			RoutableInstances instances = Mockito.mock(RoutableInstances.class);
			Mockito.when(instances.registered(ArgumentMatchers.any())).thenReturn(Mono.empty());
			Mockito.when(instances.siblings(ArgumentMatchers.any())).thenReturn(Mono.just(3L));
			return instances;
		}

		@Bean
		@Order(-100)
		WebFilter security() {
			return (exchange, chain) -> {
				exchange.getResponse().setStatusCode(HttpStatus.UNAUTHORIZED);
				return exchange.getResponse().setComplete();
			};
		}

	}

}
