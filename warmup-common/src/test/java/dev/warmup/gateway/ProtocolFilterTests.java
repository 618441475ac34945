package dev.warmup.gateway;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.ArgumentMatchers;
import org.mockito.Mockito;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
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
	void onlyTheProbeAndTheProtocolPassSecurity() {
		assertThat(gateway.get("/.warmup/ready").statusCode()).isEqualTo(200);
		assertThat(gateway.get("/rooms", "X-Warmup", claim(SignedClaim.Scope.REPLAY)).statusCode()).isEqualTo(401);
	}

	@Test
	void protocolIsServedBelowTheBasePath() {
		MockServerWebExchange exchange = MockServerWebExchange
			.from(MockServerHttpRequest.get("/shop" + PATH).contextPath("/shop"));
		StepVerifier
			.create(gateway.bean(ProtocolFilter.class).filter(exchange, (other) -> Mono.error(new AssertionError())))
			.expectComplete()
			.verify(Duration.ofSeconds(30));
		assertThat(exchange.getResponse().getHeaders().get("X-Warmup-Gateway")).containsExactly("gateway");
	}

	@Test
	void registrationOfAKnownInstanceIsAcceptedWithHowManyOthersTakeUsers() {
		HttpResponse<String> answer = gateway.get(PATH, "X-Warmup", claim(SignedClaim.Scope.REPLAY));
		assertThat(named(answer)).isEqualTo(204);
		assertThat(answer.headers().firstValue("X-Warmup-Siblings")).hasValue("3");
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

	@ParameterizedTest
	@CsvSource({ "8080, 1", "8081, 0" })
	void actuatorAtTheApplicationPortIsLoggedOnce(String port, int lines) {
		SignedClaim signed = SignedClaim
			.read(WarmupClaim.parse(claim(SignedClaim.Scope.REPLAY)).orElseThrow().jwt().orElseThrow())
			.orElseThrow();
		ClaimVerifier.Verification verified = new ClaimVerifier.Verification.Verified(signed, Optional
			.of(new DefaultServiceInstance(ID, "CHAT", "localhost", 8080, false, Map.of("management.port", port))));
		try (CapturedLog log = CapturedLog.of(ProtocolFilter.class)) {
			ProtocolFilter filter = filter(verified);
			answer(filter, HttpMethod.GET);
			answer(filter, HttpMethod.GET);
			assertThat(log.lines()).hasSize(lines)
				.allSatisfy((line) -> assertThat(line).startsWith("WARN chat has its actuator"));
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
		gateway.bean(Fleet.class).left(ID);
		assertThat(send(HttpMethod.GET, PATH, claim(SignedClaim.Scope.REPLAY))).isEqualTo(204);
		assertThat(gateway.bean(Fleet.class).entries()).extracting(Fleet.Entry::instanceId).contains(ID);
		assertThat(send(HttpMethod.DELETE, PATH, claim(SignedClaim.Scope.LEAVE))).isEqualTo(204);
		assertThat(gateway.bean(Fleet.class).entries()).extracting(Fleet.Entry::instanceId).doesNotContain(ID);
		Mockito.verify(routable)
			.deregistered(ArgumentMatchers.eq(ID),
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
	@CsvSource({ "chat-service, WARM, OPEN, 1, 0", "CHAT-service, WARM, OPEN, 1, 0", "chat-service, WARM, CLOSED, 0, 0",
			"chat-service, RAMPING, OPEN, 1, 1", "chat-service, RAMPING, CLOSED, 0, 1" })
	void reportThatOpensTheGateRoutesUsersOrAShareOfThem(String service, Phase phase, Gate.Position gate, int opened,
			int ramping) {
		RunReport report = new RunReport(service, ID, phase, gate, report(service, gate).run());
		assertThat(put(report, claim(SignedClaim.Scope.REPORT))).isEqualTo(204);
		Mockito.verify(routable, Mockito.times(opened)).opened(hasId());
		Mockito.verify(routable, Mockito.times(ramping)).ramping(hasId());
	}

	/** A replica may lag behind the local copy, and not have heard of a restart. */
	@ParameterizedTest
	@CsvSource({ "the instance, false, false, true", "the instance, false, true, false",
			"the instance before, false, false, true", "nothing, false, false, false", "nothing, true, false, true",
			"a failure, false, false, true" })
	void reportDoesNotOverrideTheRegistry(String found, boolean known, boolean refusesUsers, boolean opens) {
		ServiceInstance before = keyed("before", 2);
		ServiceInstance instance = keyed("key", 1);
		RoutableInstances routes = Mockito.mock(RoutableInstances.class);
		InstanceLookup registry = Mockito.mock(InstanceLookup.class);
		Mockito.when(registry.find(ID)).thenReturn(switch (found) {
			case "the instance" -> Mono.just(Optional.of(instance));
			case "the instance before" -> Mono.just(Optional.of(before));
			case "nothing" -> Mono.just(Optional.empty());
			default -> Mono.error(new IllegalStateException("gone"));
		});
		Mockito.when(registry.known(ID)).thenReturn(known ? Optional.of(instance) : Optional.empty());
		Mockito.when(registry.refusesUsers(instance)).thenReturn(refusesUsers);
		Mockito.when(registry.refusesUsers(before)).thenReturn(true);
		RunReports reports = new RunReports(new Fleet(Clock.systemUTC(), Runnable::run), Optional.of(routes),
				Optional.of(registry), List.of());
		take(reports, report("chat-service", Gate.Position.OPEN), instance);
		Mockito.verify(routes, Mockito.times(opens ? 1 : 0)).opened(instance);
		Mockito.verify(routes, Mockito.never()).opened(before);
	}

	/** Otherwise a meter might find that it is a full member, and go. */
	@Test
	void instanceHasItsShareBeforeListenersHearThatItIsRamping() {
		List<String> calls = new ArrayList<>();
		RoutableInstances routes = Mockito.mock(RoutableInstances.class);
		Mockito.doAnswer((call) -> calls.add("share")).when(routes).ramping(ArgumentMatchers.any());
		GatewayListener listener = new GatewayListener() {

			@Override
			public void onRamping(RunReport report) {
				calls.add("listener");
			}

		};
		RunReports reports = new RunReports(new Fleet(Clock.systemUTC(), Runnable::run), Optional.of(routes),
				Optional.empty(), List.of(listener));
		RunReport report = new RunReport("chat-service", ID, Phase.RAMPING, Gate.Position.CLOSED,
				Reports.warm("chat-service", ID, "r").run());
		take(reports, report, keyed("key", 1));
		assertThat(calls).containsExactly("share", "listener");
	}

	/** It is sent again where the gate has opened in the meantime. */
	@Test
	void listenersAreNotifiedOfARunOnce() {
		List<Gate.Position> reported = new ArrayList<>();
		RoutableInstances routes = Mockito.mock(RoutableInstances.class);
		GatewayListener listener = new GatewayListener() {

			@Override
			public void onReport(RunReport report) {
				reported.add(report.gate());
			}

		};
		RunReports reports = new RunReports(new Fleet(Clock.systemUTC(), Runnable::run), Optional.of(routes),
				Optional.empty(), List.of(listener));
		take(reports, report("chat-service", Gate.Position.CLOSED), keyed("key", 1));
		take(reports, report("chat-service", Gate.Position.OPEN), keyed("key", 1));
		assertThat(reported).containsExactly(Gate.Position.CLOSED);
		Mockito.verify(routes).opened(ArgumentMatchers.any());
	}

	private static void take(RunReports reports, RunReport report, ServiceInstance reporter) {
		byte[] body = Reports.json(report).getBytes(StandardCharsets.UTF_8);
		StepVerifier
			.create(reports.take(Flux.just(DefaultDataBufferFactory.sharedInstance.wrap(body)),
					WarmupClaim.parse(claim(SignedClaim.Scope.REPORT)).orElseThrow(), Optional.of(reporter)))
			.expectNext(HttpStatus.NO_CONTENT)
			.expectComplete()
			.verify(Duration.ofSeconds(30));
	}

	private static ServiceInstance keyed(String key, int port) {
		return new DefaultServiceInstance(ID, "chat-service", "localhost", port, false, Map.of("warmup-jwk", key));
	}

	@Test
	void reportCountsForTheServiceInTheRegistryWhateverItNames() {
		assertThat(put(report("bots", Gate.Position.OPEN), claim(SignedClaim.Scope.REPORT))).isEqualTo(204);
		Mockito.verify(routable).opened(ArgumentMatchers.argThat((each) -> each.getServiceId().equals("chat-service")));
		assertThat(gateway.bean(Fleet.class).entries()).extracting(Fleet.Entry::service)
			.contains("chat-service")
			.doesNotContain("bots");
	}

	@Test
	void reportWithAForgedClaimIsForbidden() {
		RunReport report = report("chat-service", Gate.Position.OPEN);
		assertThat(put(report, Claims.of("another", ID, SignedClaim.Scope.REPORT, "r"))).isEqualTo(403);
		assertThat(put(report, claim(SignedClaim.Scope.REPLAY))).isEqualTo(403);
		Mockito.verifyNoInteractions(routable);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/run", "/phase", "/service", "/instanceId", "/run/id", "/run/verdict", "/run/trigger",
			"/run/startedAt", "/run/took", "/run/requests" })
	void reportWithoutAFieldIsRejected(String field) {
		assertRejected(field, Optional.empty());
	}

	/** A value that breaks a line could forge the log. */
	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			/run/id             | "run-8"
			/instanceId         | "another"
			/service            | "junk\\nmallory WARM"
			/run/reason         | "a\\nmallory/m WARM startup"
			/run/reason         | "a\\rb"
			/run/reason         | "a\\u001b[2Jb"
			/run/reason         | "a\\u0085b"
			/run/reason         | "a\\u2028b"
			/run/jit            | null
			/run/requests       | [null]
			/phase              | "BOILING"
			/run/sent           | "many"
			/run/steadyP50      | "PT2562047788015215H"
			/run/took           | "PT-1S"
			""")
	void invalidReportIsRejected(String field, String value) {
		assertRejected(field, Optional.of(JsonMapper.shared().readTree(value)));
	}

	private static void assertRejected(String field, Optional<JsonNode> value) {
		ObjectNode report = Reports.tree(Reports.warm("chat-service", ID, "r"));
		ObjectNode parent = (ObjectNode) report.at(field.substring(0, field.lastIndexOf('/')));
		String name = field.substring(field.lastIndexOf('/') + 1);
		assertThat(parent.propertyNames()).contains(name);
		parent.remove(name);
		value.ifPresent((replaced) -> parent.set(name, replaced));
		assertRejected(400, report.toString(), "r", claim(SignedClaim.Scope.REPORT));
	}

	@Test
	void fieldsThatTheGatewayDoesNotKnowAreIgnored() {
		ObjectNode report = Reports.tree(Reports.warm("chat-service", ID, "r"));
		report.put("since", "2.0");
		((ObjectNode) report.path("run")).putArray("tasks").addObject().put("name", "dns").put("took", "PT-1S");
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
		RunReport report = new RunReport("chat-service", ID, Phase.WARMING, Gate.Position.OPEN,
				Reports.warm("chat-service", ID, "r").run());
		List<Fleet.Entry> before = gateway.bean(Fleet.class).entries();
		assertThat(put(report, claim(SignedClaim.Scope.REPORT))).isEqualTo(204);
		Mockito.verifyNoInteractions(routable);
		assertThat(gateway.bean(Fleet.class).entries()).isEqualTo(before);
	}

	@ParameterizedTest
	@CsvSource({ "GET, /.warmup", "GET, /.warmup/", "GET, /.warmup/runs/r", "POST, /.warmup/runs/r",
			"PUT, /.warmup/runs", "POST, /.warmup/instances/host:chat-service:8080",
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
		Fleet fleet = new Fleet(Clock.systemUTC(), Runnable::run);
		return new ProtocolFilter(() -> new Instance("gateway", "gateway-1"), (claim, scope) -> Mono.just(verification),
				fleet, new RunReports(fleet, Optional.empty(), Optional.empty(), List.of()), Optional.empty(),
				new MutableClock());
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
