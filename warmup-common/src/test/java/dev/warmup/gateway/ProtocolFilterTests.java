package dev.warmup.gateway;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;

import dev.warmup.RunningApplication;
import dev.warmup.loadbalancer.RoutableInstances;
import dev.warmup.protocol.GatePosition;
import dev.warmup.protocol.InstanceSource;
import dev.warmup.protocol.RunReport;
import dev.warmup.protocol.WarmupToken;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.WebFilter;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The door of a real gateway that turns everybody else away, where Spring Security would.
 */
class ProtocolFilterTests {

	private static final String ID = "host:chat-service:8080";

	private static final String PATH = "/.warmup/instances/" + ID;

	private static final String TOKEN = "token-of-the-tests";

	private static final String CLAIM = claim(ID, TOKEN);

	private static RunningApplication gateway;

	private static Recorder told;

	@BeforeAll
	static void start() {
		String instance = "spring.cloud.discovery.client.simple.instances.chat-service[0].";
		gateway = RunningApplication.gateway(Gateway.class, "spring.application.name=gateway",
				"warmup.gate.enabled=false", instance + "uri=http://localhost:1", instance + "instance-id=" + ID,
				instance + "metadata.warmup-token-sha256=" + WarmupToken.of(TOKEN).sha256());
		told = gateway.bean(Recorder.class);
	}

	@AfterAll
	static void stop() {
		gateway.close();
	}

	@BeforeEach
	void forget() {
		told.events.clear();
	}

	@Test
	void everybodyElseIsTurnedAway() {
		assertThat(gateway.get("/rooms", "X-Warmup", CLAIM).statusCode()).isEqualTo(401);
	}

	@Test
	void probeIsAnsweredWithoutAClaim() {
		assertThat(gateway.get("/.warmup/ready").statusCode()).isEqualTo(200);
	}

	@Test
	void knockOfAKnownInstanceIsAnsweredOnceThereIsAWayToIt() {
		assertThat(send(HttpMethod.GET, PATH, CLAIM)).isEqualTo(204);
		assertThat(told.events).containsExactly("learned " + ID);
	}

	@ParameterizedTest
	@ValueSource(strings = { "instance=nobody; token=token-of-the-tests; run=r", "true", "",
			"instance=host:chat-service:8080; run=r",
			"instance=host:chat-service:8080; token=token-of-another; run=r" })
	void knockThatIsNotBelievedIsNotFound(String claim) {
		assertThat(send(HttpMethod.GET, PATH, claim)).isEqualTo(404);
		assertThat(told.events).isEmpty();
	}

	@Test
	void knockIsForTheClaimantItself() {
		assertThat(send(HttpMethod.GET, "/.warmup/instances/other", CLAIM)).isEqualTo(404);
		assertThat(gateway.get(PATH).statusCode()).isEqualTo(404);
		assertThat(gateway.get(PATH, "X-Warmup", CLAIM, "X-Warmup", CLAIM).statusCode()).isEqualTo(404);
	}

	@Test
	void instanceThatLeavesIsRoutedNoMore() {
		assertThat(send(HttpMethod.DELETE, PATH, CLAIM)).isEqualTo(204);
		assertThat(told.events).containsExactly("leaving " + ID);
	}

	@Test
	void nobodyElseCanSendAnInstanceAway() {
		assertThat(send(HttpMethod.DELETE, PATH, claim(ID, "token-of-another"))).isEqualTo(403);
		assertThat(send(HttpMethod.DELETE, "/.warmup/instances/other", CLAIM)).isEqualTo(403);
		assertThat(gateway.send(HttpMethod.DELETE, PATH, "").statusCode()).isEqualTo(403);
		assertThat(told.events).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "OPEN, opened host:chat-service:8080", "CLOSED," })
	void reportThatOpensTheGateHasUsersRouted(GatePosition gate, String event) {
		assertThat(put(report("chat-service", gate), CLAIM)).isEqualTo(204);
		assertThat(told.events).isEqualTo((event != null) ? List.of(event) : List.of());
	}

	@Test
	void serviceCountsInAnyCase() {
		assertThat(put(report("CHAT-service", GatePosition.OPEN), CLAIM)).isEqualTo(204);
		assertThat(told.events).hasSize(1);
	}

	@Test
	void nobodyReportsForAnotherService() {
		assertThat(put(report("bots", GatePosition.OPEN), CLAIM)).isEqualTo(403);
		assertThat(told.events).isEmpty();
		assertThat(gateway.bean(Fleet.class).entries()).extracting(FleetEntry::service).doesNotContain("bots");
	}

	@Test
	void reportThatIsNotBelievedIsForbidden() {
		assertThat(put(report("chat-service", GatePosition.OPEN), claim(ID, "token-of-another"))).isEqualTo(403);
		assertThat(told.events).isEmpty();
	}

	@Test
	void rehearsalIsReadAndForgotten() {
		RunReport report = Reports.warm("chat-service", ID, "r");
		List<FleetEntry> before = gateway.bean(Fleet.class).entries();
		assertThat(rehearse(Reports.json(report), CLAIM)).isEqualTo(204);
		assertThat(rehearse("{}", CLAIM)).isEqualTo(400);
		assertThat(rehearse(Reports.json(report), claim(ID, "token-of-another"))).isEqualTo(403);
		assertThat(told.events).isEmpty();
		assertThat(gateway.bean(Fleet.class).entries()).isEqualTo(before);
	}

	@ParameterizedTest
	@CsvSource({ "GET, /.warmup", "GET, /.warmup/", "GET, /.warmup/runs/r", "POST, /.warmup/runs/r",
			"GET, /.warmup/rehearsals/r", "PUT, /.warmup/rehearsals", "POST, /.warmup/instances/host:chat-service:8080",
			"PUT, /.warmup/instances/host:chat-service:8080", "GET, /.warmup/instances",
			"GET, /.warmup/instances/host:chat-service:8080/more", "POST, /.warmup/ready", "DELETE, /.warmup/runs/r",
			"GET, /.warmup/gateways/gateway-1" })
	void nothingElseIsThere(String method, String path) {
		assertThat(send(HttpMethod.valueOf(method), path, CLAIM)).isEqualTo(404);
		assertThat(told.events).isEmpty();
	}

	private static RunReport report(String service, GatePosition gate) {
		RunReport open = Reports.warm(service, ID, "r");
		return new RunReport(open.service(), open.instanceId(), open.phase(), gate, open.run());
	}

	private static int put(RunReport report, String claim) {
		return named(gateway.send(HttpMethod.PUT, "/.warmup/runs/r", Reports.json(report), "X-Warmup", claim));
	}

	private static int rehearse(String body, String claim) {
		return named(gateway.send(HttpMethod.PUT, "/.warmup/rehearsals/r", body, "X-Warmup", claim));
	}

	private static int send(HttpMethod method, String path, String claim) {
		return named(gateway.send(method, path, "", "X-Warmup", claim));
	}

	/** Each answer tells the gateway's name. */
	private static int named(HttpResponse<String> answer) {
		assertThat(answer.headers().allValues("X-Warmup-Gateway"))
			.containsExactly(gateway.bean(InstanceSource.class).get().instanceId());
		return answer.statusCode();
	}

	private static String claim(String instanceId, String token) {
		return "instance=" + instanceId + "; token=" + token + "; run=r";
	}

	static final class Recorder implements RoutableInstances {

		private final List<String> events = new ArrayList<>();

		@Override
		public void opened(ServiceInstance instance) {
			this.events.add("opened " + instance.getInstanceId());
		}

		@Override
		public void leaving(String instanceId) {
			this.events.add("leaving " + instanceId);
		}

		@Override
		public Mono<Void> learned(ServiceInstance instance) {
			return Mono.fromRunnable(() -> this.events.add("learned " + instance.getInstanceId()));
		}

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Gateway {

		@Bean
		Recorder recorder() {
			return new Recorder();
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
