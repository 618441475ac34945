package dev.warmup.gateway;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import dev.warmup.CapturedLog;
import dev.warmup.Claims;
import dev.warmup.RunningApplication;
import dev.warmup.discovery.InstanceLookup;
import dev.warmup.discovery.Verification;
import dev.warmup.loadbalancer.RoutableInstances;
import dev.warmup.protocol.ClaimScope;
import dev.warmup.protocol.GatePosition;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.RunReport;
import dev.warmup.protocol.SignedClaim;
import dev.warmup.protocol.WarmupClaim;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.ArgumentMatchers;
import org.mockito.Mockito;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

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
@Timeout(120)
class ProtocolFilterTests {

	private static final String ID = "host:chat-service:8080";

	private static final String PATH = "/.warmup/instances/" + ID;

	private static RunningApplication gateway;

	private static RoutableInstances routable;

	@BeforeAll
	static void start() {
		String instance = "spring.cloud.discovery.client.simple.instances.chat-service[0].";
		gateway = RunningApplication.gateway(Gateway.class, "spring.application.name=gateway",
				"warmup.gate.enabled=false", instance + "uri=http://localhost:1", instance + "instance-id=" + ID,
				instance + "metadata.warmup-jwk=" + Claims.jwk(ID));
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
		assertThat(gateway.get("/rooms", "X-Warmup", claim(ClaimScope.REPLAY)).statusCode()).isEqualTo(401);
	}

	@Test
	void probeIsAnsweredWithoutAClaim() {
		assertThat(gateway.get("/.warmup/ready").statusCode()).isEqualTo(200);
	}

	@Test
	void registrationOfAKnownInstanceIsAccepted() {
		assertThat(send(HttpMethod.GET, PATH, claim(ClaimScope.REPLAY))).isEqualTo(204);
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
				Claims.of("another", ID, ClaimScope.REPLAY, "r"), claim(ClaimScope.REPORT), claim(ClaimScope.LEAVE));
	}

	@Test
	void actuatorAtTheRoutedPortIsLoggedOnce() {
		try (CapturedLog log = CapturedLog.of(ProtocolFilter.class)) {
			Verification verified = new Verification.Verified(
					SignedClaim.read(WarmupClaim.parse(claim(ClaimScope.REPLAY)).orElseThrow().jwt().orElseThrow())
						.orElseThrow(),
					Optional.of(new DefaultServiceInstance(ID, "CHAT", "localhost", 8080, false,
							Map.of("management.port", "8080"))));
			ProtocolFilter filter = new ProtocolFilter(() -> new Instance("gateway", "gateway-1"),
					(claim, scope) -> Mono.just(verified),
					new RunReports(new Fleet(Clock.systemUTC()), Optional.empty(), Optional.empty(), List.of()),
					Optional.empty());
			for (int i = 0; i < 2; i++) {
				MockServerWebExchange exchange = MockServerWebExchange
					.from(MockServerHttpRequest.get(PATH).header("X-Warmup", claim(ClaimScope.REPLAY)));
				StepVerifier.create(filter.filter(exchange, (next) -> Mono.empty()))
					.expectComplete()
					.verify(Duration.ofSeconds(30));
			}
			assertThat(log.lines()).singleElement()
				.satisfies((line) -> assertThat(line).startsWith("WARN chat has its actuator"));
		}
	}

	@Test
	void registrationIsForTheClaimantItself() {
		assertThat(send(HttpMethod.GET, "/.warmup/instances/other", claim(ClaimScope.REPLAY))).isEqualTo(404);
		assertThat(gateway.get(PATH).statusCode()).isEqualTo(404);
		assertThat(gateway.get(PATH, "X-Warmup", claim(ClaimScope.REPLAY), "X-Warmup", claim(ClaimScope.REPLAY))
			.statusCode()).isEqualTo(404);
	}

	@Test
	void instanceDeregistersItself() {
		assertThat(send(HttpMethod.DELETE, PATH, claim(ClaimScope.LEAVE))).isEqualTo(204);
		Mockito.verify(routable)
			.leaving(ArgumentMatchers.eq(ID),
					ArgumentMatchers.argThat((known) -> known.orElseThrow().getInstanceId().equals(ID)));
	}

	@Test
	void instanceIsNotDeregisteredByOthers() {
		assertThat(send(HttpMethod.DELETE, PATH, Claims.of("another", ID, ClaimScope.LEAVE, "r"))).isEqualTo(403);
		assertThat(send(HttpMethod.DELETE, PATH, claim(ClaimScope.REPLAY))).isEqualTo(403);
		assertThat(send(HttpMethod.DELETE, "/.warmup/instances/other", claim(ClaimScope.LEAVE))).isEqualTo(403);
		assertThat(gateway.send(HttpMethod.DELETE, PATH, "").statusCode()).isEqualTo(403);
		Mockito.verifyNoInteractions(routable);
	}

	@ParameterizedTest
	@EnumSource(GatePosition.class)
	void reportThatOpensTheGateRoutesUsers(GatePosition gate) {
		assertThat(put(report("chat-service", gate), claim(ClaimScope.REPORT))).isEqualTo(204);
		Mockito.verify(routable, Mockito.times((gate == GatePosition.OPEN) ? 1 : 0)).opened(hasId());
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
			byte[] body = Reports.json(report("chat-service", GatePosition.OPEN)).getBytes(StandardCharsets.UTF_8);
			StepVerifier
				.create(reports.take(Flux.just(DefaultDataBufferFactory.sharedInstance.wrap(body)),
						WarmupClaim.parse(claim(ClaimScope.REPORT)).orElseThrow(), Optional.of(instance)))
				.expectNext(HttpStatus.NO_CONTENT)
				.expectComplete()
				.verify(Duration.ofSeconds(30));
			Mockito.verify(routes, Mockito.times(refused ? 0 : 1)).opened(instance);
		}
	}

	@Test
	void serviceNameMayBeInAnyCase() {
		assertThat(put(report("CHAT-service", GatePosition.OPEN), claim(ClaimScope.REPORT))).isEqualTo(204);
		Mockito.verify(routable).opened(hasId());
	}

	@Test
	void reportForAnotherServiceIsForbidden() {
		assertThat(put(report("bots", GatePosition.OPEN), claim(ClaimScope.REPORT))).isEqualTo(403);
		Mockito.verifyNoInteractions(routable);
		assertThat(gateway.bean(Fleet.class).entries()).extracting(FleetEntry::service).doesNotContain("bots");
	}

	@Test
	void reportWithAForgedClaimIsForbidden() {
		assertThat(put(report("chat-service", GatePosition.OPEN), Claims.of("another", ID, ClaimScope.REPORT, "r")))
			.isEqualTo(403);
		assertThat(put(report("chat-service", GatePosition.OPEN), claim(ClaimScope.REPLAY))).isEqualTo(403);
		Mockito.verifyNoInteractions(routable);
	}

	@Test
	void dryRunIsValidatedAndDiscarded() {
		RunReport report = Reports.warm("chat-service", ID, "r");
		List<FleetEntry> before = gateway.bean(Fleet.class).entries();
		assertThat(dryRun(Reports.json(report), claim(ClaimScope.REPORT))).isEqualTo(204);
		assertThat(dryRun("{}", claim(ClaimScope.REPORT))).isEqualTo(400);
		assertThat(dryRun(Reports.json(report), Claims.of("another", ID, ClaimScope.REPORT, "r"))).isEqualTo(403);
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
		assertThat(send(HttpMethod.valueOf(method), path, claim(ClaimScope.REPLAY))).isEqualTo(404);
		Mockito.verifyNoInteractions(routable);
	}

	@ParameterizedTest
	@ValueSource(strings = { "GET", "DELETE" })
	void unavailableRegistryIsAnsweredBy503(String method) {
		ProtocolFilter filter = new ProtocolFilter(() -> new Instance("gateway", "gateway-1"),
				(claim, scope) -> Mono.just(new Verification.Unavailable()),
				new RunReports(new Fleet(Clock.systemUTC()), Optional.empty(), Optional.empty(), List.of()),
				Optional.empty());
		MockServerWebExchange exchange = MockServerWebExchange
			.from(MockServerHttpRequest.method(HttpMethod.valueOf(method), PATH)
				.header("X-Warmup", claim(ClaimScope.REPLAY)));
		StepVerifier.create(filter.filter(exchange, (next) -> Mono.error(new AssertionError("went on"))))
			.expectComplete()
			.verify(Duration.ofSeconds(30));
		assertThat(exchange.getResponse().getStatusCode()).isEqualTo(HttpStatus.SERVICE_UNAVAILABLE);
		assertThat(exchange.getResponse().getHeaders().getFirst("Retry-After")).isEqualTo("1");
	}

	private static RunReport report(String service, GatePosition gate) {
		RunReport open = Reports.warm(service, ID, "r");
		return new RunReport(open.service(), open.instanceId(), open.phase(), gate, open.run());
	}

	private static int put(RunReport report, String claim) {
		return named(gateway.send(HttpMethod.PUT, "/.warmup/runs/r", Reports.json(report), "X-Warmup", claim));
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

	private static String claim(ClaimScope scope) {
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
