package dev.warmup.gateway;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import dev.warmup.CapturedLog;
import dev.warmup.Claims;
import dev.warmup.Instances;
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
	@CsvSource(delimiter = '|', textBlock = """
			GET    | /.warmup/instances/host:chat-service:8080 | REPLAY | 404 | 404
			DELETE | /.warmup/instances/host:chat-service:8080 | LEAVE  | 403 | 403
			PUT    | /.warmup/runs/r                           | REPORT | 400 | 403
			""")
	void requestWithoutASingleSignedClaimIsRefused(HttpMethod method, String path, SignedClaim.Scope scope,
			int malformed, int unsigned) {
		assertRefused(malformed, method, path);
		assertRefused(malformed, method, path, "");
		assertRefused(malformed, method, path, "true");
		assertRefused(malformed, method, path, claim(scope), claim(scope));
		assertRefused(unsigned, method, path, "instance=" + ID + "; run=r");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			GET    | instances/{id}  | unknown | unknown | REPLAY | r   | 404
			GET    | instances/{id}  | another | {id}    | REPLAY | r   | 404
			GET    | instances/{id}  | {id}    | {id}    | REPORT | r   | 404
			GET    | instances/{id}  | {id}    | {id}    | LEAVE  | r   | 404
			GET    | instances/other | {id}    | {id}    | REPLAY | r   | 404
			DELETE | instances/{id}  | another | {id}    | LEAVE  | r   | 403
			DELETE | instances/{id}  | {id}    | {id}    | REPLAY | r   | 403
			DELETE | instances/other | {id}    | {id}    | LEAVE  | r   | 403
			PUT    | runs/r          | another | {id}    | REPORT | r   | 403
			PUT    | runs/r          | {id}    | {id}    | REPLAY | r   | 403
			PUT    | runs/r          | another | another | REPORT | r   | 400
			PUT    | runs/r          | {id}    | {id}    | REPORT | r-4 | 400
			PUT    | runs/r-4        | {id}    | {id}    | REPORT | r   | 400
			""")
	void claimByAnotherKeyOrOfAnotherInstanceScopeOrRunIsRefused(HttpMethod method, String path, String key,
			String instance, SignedClaim.Scope scope, String run, int status) {
		assertRefused(status, method, "/.warmup/" + path.replace("{id}", ID),
				Claims.of(key.replace("{id}", ID), instance.replace("{id}", ID), scope, run));
	}

	private static void assertRefused(int status, HttpMethod method, String path, String... claims) {
		String body = method.equals(HttpMethod.PUT) ? Reports.json(Reports.warm("chat-service", ID, "r")) : "";
		List<RunRecord> before = gateway.bean(Fleet.class).runs();
		assertThat(named(gateway.send(method, path, body,
				Stream.of(claims).flatMap((claim) -> Stream.of("X-Warmup", claim)).toArray(String[]::new))))
			.isEqualTo(status);
		assertThat(gateway.bean(Fleet.class).runs()).isEqualTo(before);
		Mockito.verifyNoInteractions(routable);
	}

	@ParameterizedTest
	@CsvSource({ "8080, 1", "8081, 0" })
	void actuatorAtTheApplicationPortIsLoggedOnce(String port, int lines) {
		SignedClaim signed = SignedClaim
			.read(WarmupClaim.parse(claim(SignedClaim.Scope.REPLAY)).orElseThrow().jwt().orElseThrow())
			.orElseThrow();
		ServiceInstance instance = Instances.of("CHAT", ID);
		instance.getMetadata().put("management.port", port);
		try (CapturedLog log = CapturedLog.of(ProtocolFilter.class)) {
			ProtocolFilter filter = filter(new ClaimVerifier.Verification.Verified(signed, Optional.of(instance)));
			answer(filter, HttpMethod.GET, PATH);
			answer(filter, HttpMethod.GET, PATH);
			assertThat(log.lines()).hasSize(lines)
				.allSatisfy((line) -> assertThat(line).startsWith("WARN chat has its actuator"));
		}
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

	@ParameterizedTest
	@CsvSource({ "chat-service, WARM, OPEN, 1, 0", "CHAT-service, WARM, OPEN, 1, 0", "chat-service, WARM, CLOSED, 0, 0",
			"chat-service, RAMPING, OPEN, 1, 1", "chat-service, RAMPING, CLOSED, 0, 1" })
	void reportThatOpensTheGateRoutesUsersOrAShareOfThem(String service, Phase phase, Gate.Position gate, int opened,
			int ramping) {
		RunReport report = new RunReport(service, ID, phase, gate, report(service, gate).run());
		assertThat(put(report)).isEqualTo(204);
		Mockito.verify(routable, Mockito.times(opened)).opened(hasId());
		Mockito.verify(routable, Mockito.times(ramping)).ramping(hasId());
	}

	/** A replica may lag behind the local copy, and not have heard of a restart. */
	@ParameterizedTest
	@CsvSource({ "the instance, false, false, true", "the instance, false, true, false",
			"the instance before, false, false, true", "nothing, false, false, false", "nothing, true, false, true",
			"a failure, false, false, true" })
	void reportDoesNotOverrideTheRegistry(String found, boolean known, boolean refusesUsers, boolean opens) {
		ServiceInstance before = Instances.keyed(ID, "before");
		ServiceInstance instance = Instances.keyed(ID, "key");
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
		RunReports reports = reports(routes, Optional.of(registry), new RecordingListener());
		take(reports, report("chat-service", Gate.Position.OPEN), instance);
		Mockito.verify(routes, Mockito.times(opens ? 1 : 0)).opened(instance);
		Mockito.verify(routes, Mockito.never()).opened(before);
	}

	/** Otherwise a meter might find that it is a full member, and go. */
	@Test
	void instanceHasItsShareBeforeListenersHearThatItIsRamping() {
		RecordingListener listener = new RecordingListener();
		RoutableInstances routes = Mockito.mock(RoutableInstances.class);
		Mockito.doAnswer((call) -> listener.calls().add("share")).when(routes).ramping(ArgumentMatchers.any());
		RunReport report = new RunReport("chat-service", ID, Phase.RAMPING, Gate.Position.CLOSED,
				Reports.warm("chat-service", ID, "r").run());
		take(reports(routes, Optional.empty(), listener), report, Instances.of(ID));
		assertThat(listener.calls()).containsExactly("share", "ramping");
	}

	/** It is sent again where the gate has opened in the meantime. */
	@Test
	void listenersAreNotifiedOfARunOnce() {
		RecordingListener listener = new RecordingListener();
		RoutableInstances routes = Mockito.mock(RoutableInstances.class);
		RunReports reports = reports(routes, Optional.empty(), listener);
		take(reports, report("chat-service", Gate.Position.CLOSED), Instances.of(ID));
		take(reports, report("chat-service", Gate.Position.OPEN), Instances.of(ID));
		assertThat(listener.calls()).containsExactly("report CLOSED");
		Mockito.verify(routes).opened(ArgumentMatchers.any());
	}

	/** At a gateway that the run does not go through, which checks no registration. */
	@Test
	void reportOfAnInstanceThatWasKilledAndRestartedReplacesThatOfItsPredecessor() {
		Fleet fleet = new Fleet(Clock.systemUTC(), Runnable::run);
		RunReports reports = new RunReports(fleet, Optional.empty(), Optional.empty(), List.of());
		ServiceInstance killed = Instances.keyed(ID, Claims.jwk("killed"));
		fleet.registered(killed);
		take(reports, report("chat", Gate.Position.OPEN), killed);
		RunReport ramping = new RunReport("chat", ID, Phase.RAMPING, Gate.Position.OPEN,
				Reports.warm("chat", ID, "r").run());
		take(reports, ramping, killed);
		assertThat(fleet.entries()).extracting(Fleet.Entry::phase).contains(Phase.WARM);
		take(reports, ramping, Instances.keyed(ID, Claims.jwk("restarted")));
		assertThat(fleet.entries()).extracting(Fleet.Entry::phase).doesNotContain(Phase.WARM);
	}

	private static RunReports reports(RoutableInstances routes, Optional<InstanceLookup> registry,
			GatewayListener listener) {
		return new RunReports(new Fleet(Clock.systemUTC(), Runnable::run), Optional.of(routes), registry,
				List.of(listener));
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

	@Test
	void reportCountsForTheServiceInTheRegistryWhateverItNames() {
		assertThat(put(report("bots", Gate.Position.OPEN))).isEqualTo(204);
		Mockito.verify(routable).opened(ArgumentMatchers.argThat((each) -> each.getServiceId().equals("chat-service")));
		assertThat(gateway.bean(Fleet.class).entries()).extracting(Fleet.Entry::service)
			.contains("chat-service")
			.doesNotContain("bots");
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
		assertRejected(400, report.toString());
	}

	@Test
	void fieldsThatTheGatewayDoesNotKnowAreIgnored() {
		ObjectNode report = Reports.tree(Reports.warm("chat-service", ID, "r"));
		report.put("since", "2.0");
		((ObjectNode) report.path("run")).putArray("tasks").addObject().put("name", "dns").put("took", "PT-1S");
		assertThat(put(report.toString())).isEqualTo(204);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "null", "[]", "{}", "hello", "{\"run\":", "\u0000" })
	void bodyMustBeAJsonObject(String body) {
		assertRejected(400, body);
	}

	@Test
	void reportMayHave64KiBAndNoMore() {
		String body = Reports.json(Reports.warm("chat-service", ID, "r"));
		String full = body + " ".repeat(RunReport.MAX_BYTES - body.length());
		assertRejected(413, full + " ");
		assertThat(put(full)).isEqualTo(204);
	}

	@Test
	void dryRunIsValidatedAndDiscarded() {
		RunReport report = new RunReport("chat-service", ID, Phase.WARMING, Gate.Position.OPEN,
				Reports.warm("chat-service", ID, "r").run());
		List<Fleet.Entry> before = gateway.bean(Fleet.class).entries();
		assertThat(put(report)).isEqualTo(204);
		Mockito.verifyNoInteractions(routable);
		assertThat(gateway.bean(Fleet.class).entries()).isEqualTo(before);
	}

	@ParameterizedTest
	@CsvSource({ "GET, /.warmup", "GET, /.warmup/", "GET, /.warmup/runs/r", "POST, /.warmup/runs/r",
			"PUT, /.warmup/runs", "POST, /.warmup/instances/host:chat-service:8080",
			"PUT, /.warmup/instances/host:chat-service:8080", "GET, /.warmup/instances",
			"GET, /.warmup/instances/host:chat-service:8080/more", "POST, /.warmup/ready", "DELETE, /.warmup/runs/r",
			"GET, /.warmup/gateways/gateway-1" })
	void anythingElseIsNotFound(HttpMethod method, String path) {
		assertThat(send(method, path, claim(SignedClaim.Scope.REPLAY))).isEqualTo(404);
		Mockito.verifyNoInteractions(routable);
	}

	@ParameterizedTest
	@CsvSource({ "GET, " + PATH, "DELETE, " + PATH, "PUT, /.warmup/runs/r" })
	void unavailableRegistryIsAnsweredBy503(HttpMethod method, String path) {
		MockServerWebExchange exchange = answer(filter(new ClaimVerifier.Verification.Unavailable()), method, path);
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

	private static MockServerWebExchange answer(ProtocolFilter filter, HttpMethod method, String path) {
		MockServerWebExchange exchange = MockServerWebExchange
			.from(MockServerHttpRequest.method(method, path).header("X-Warmup", claim(SignedClaim.Scope.REPLAY)));
		StepVerifier.create(filter.filter(exchange, (next) -> Mono.error(new AssertionError("went on"))))
			.expectComplete()
			.verify(Duration.ofSeconds(30));
		return exchange;
	}

	private static RunReport report(String service, Gate.Position gate) {
		return new RunReport(service, ID, Phase.WARM, gate, Reports.warm(service, ID, "r").run());
	}

	private static int put(RunReport report) {
		return put(Reports.json(report));
	}

	private static int put(String body) {
		return named(
				gateway.send(HttpMethod.PUT, RunReport.PATH + "r", body, "X-Warmup", claim(SignedClaim.Scope.REPORT)));
	}

	private static void assertRejected(int status, String body) {
		List<RunRecord> before = gateway.bean(Fleet.class).runs();
		assertThat(put(body)).isEqualTo(status);
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
