package dev.warmup.e2e;

import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.warmup.bench.stack.App;
import dev.warmup.bench.stack.Stack;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Gateways that come late, restart, join, or are killed in the middle of a run. */
@Tag("full")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class GatewaysIT {

	private static final String FETCH_INTERVAL = "--eureka.client.registry-fetch-interval-seconds=30";

	/**
	 * Gateways and service have Eureka's default interval, at which they read the
	 * registry again.
	 */
	@Test
	void serviceWaitsForItsGatewayAndWarmsEachOneBeforeThatIsReady() {
		try (Stack stack = Stacks.counted("late-gateway", 20, "150s")
			.args(Stack.GATEWAY, FETCH_INTERVAL)
			.args(Stack.SERVICE, FETCH_INTERVAL)
			.gateways(0)
			.start()) {
			App service = stack.service();
			service.awaitLog("there is no service 'gateway'", Stacks.SOON);
			assertThat(service.get(Stacks.READY).status()).isEqualTo(503);
			App gateway = stack.addGateway();
			service.awaitReady(Stacks.SOON);
			gateway.awaitLog("chat-service/\\S+ WARM startup:", Stacks.SOON);
			gateway.awaitReady(Stacks.SOON);

			int runs = runs(service);
			gateway.restart();
			gateway.awaitReady(Stacks.SOON);
			assertWarmedBy(service, gateway, runs);

			runs = runs(service);
			App second = stack.addGateway();
			second.awaitReady(Stacks.SOON);
			assertWarmedBy(service, second, runs);
			Stacks.assertNoAlarm(second);
		}
	}

	private static void assertWarmedBy(App service, App gateway, int runsBefore) {
		assertThat(runs(service)).isGreaterThan(runsBefore);
		assertThat(service.get(Stacks.WARMUP).<String>read("$.gate")).isEqualTo("OPEN");
		assertThat(gateway.get(Stacks.WARMUP).<List<String>>read("$.fleet[?(@.service == 'chat-service')].phase"))
			.containsExactly("WARM");
		assertThat(gateway.get(Stacks.ROOMS).status()).isEqualTo(200);
	}

	/** With a route ahead of the locator's, which does not know of the base path. */
	@Test
	void gatewayBelowABasePathIsFoundThere() {
		String route = "--spring.cloud.gateway.server.webflux.routes[0].";
		try (Stack stack = Stacks.counted("base-path", 5, "150s")
			.args(Stack.GATEWAY, "--spring.webflux.base-path=/api", route + "id=chat-service", route + "order=-1",
					route + "uri=lb://CHAT-SERVICE", route + "predicates[0]=Path=/chat-service/**",
					route + "filters[0]=StripPrefix=2")
			.start()) {
			Stacks.awaitPhase(stack.service(), "WARM");
			assertThat(stack.get("/api" + Stacks.READY).status()).isEqualTo(200);
			await().atMost(Stacks.SOON).until(() -> stack.get("/api" + Stacks.ROOMS).status() == 200);
			assertThat(stack.get("/api/chat-service/actuator/warmup").status()).isEqualTo(404);
		}
	}

	@Test
	void killedGatewayAndStoppedInstanceEndTheirRunsCleanly() {
		try (Stack stack = Stacks.counted("killed", 20, "60s").start()) {
			App killed = stack.service();
			Stacks.awaitPhase(killed, "WARM");
			Stacks.startRun(killed);
			stack.gateway().kill();
			await().atMost(Stacks.SOON).until(() -> Stacks.verdicts(killed, "MANUAL").size() == 1);
			assertThat(Stacks.verdicts(killed, "MANUAL")).containsAnyOf("DEGRADED", "TIMED_OUT", "FAILED");
			assertThat(killed.get(Stacks.WARMUP).<String>read("$.gate")).isEqualTo("OPEN");
			assertThat(killed.get("/rooms").status()).isEqualTo(200);
			Stacks.assertNoAlarm(killed);

			stack.gateway().restart();
			stack.gateway().awaitReady(Stacks.SOON);
			App stopped = stack.addService();
			Stacks.awaitWarming(stack.gateway(), stopped);
			assertThat(stopped.stop()).isTrue();
			assertThat(stopped.logText()).contains("the run was stopped");
			Stacks.assertNoAlarm(stopped);
			Stacks.assertNoAlarm(stack.gateway());
			await().atMost(Stacks.SOON).untilAsserted(() -> assertThat(Stacks.registered(stack)).hasSize(1));
		}
	}

	private static int runs(App service) {
		return service.get(Stacks.WARMUP).<List<?>>read("$.runs").size();
	}

}
