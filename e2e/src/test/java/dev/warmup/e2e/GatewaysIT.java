package dev.warmup.e2e;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.warmup.bench.stack.App;
import dev.warmup.bench.stack.Stack;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Promises 8, 9 and 10 at gateways that come late, restart, hang or are killed. */
@Tag("full")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class GatewaysIT {

	/** The registry of a crashed or deaf process: two leases, its removal, a fetch. */
	private static final Duration LEASE = Duration.ofSeconds(45);

	private static Stack stack;

	/** The gateway comes last, and all have Eureka's default fetch interval. */
	@BeforeAll
	static void start() {
		String interval = "--eureka.client.registry-fetch-interval-seconds=30";
		stack = Stacks.counted("gateways", 5, interval).args(Stack.GATEWAY, interval).gateways(0).start();
		App service = stack.service().awaitUp(Stacks.SOON);
		App.sleep(Duration.ofSeconds(3));
		assertThat(service.get(Stacks.READY).status()).isEqualTo(503); // no gateway
		stack.addGateway().awaitReady(Stacks.SOON);
		service.awaitReady(Stacks.SOON);
		stack.gateway().awaitLog("chat-service/\\S+ WARM startup:", Stacks.SOON);
		stack.addGateway();
		stack.addGateway();
		stack.gateways().forEach((gateway) -> gateway.awaitReady(Stacks.SOON));
		Stacks.awaitUsers(stack);
	}

	@AfterAll
	static void stop() {
		stack.close();
	}

	@Test
	void gatewayThatRestartsIsWarmedBeforeItIsReady() {
		App gateway = stack.gateways().get(2);
		try (Traffic users = Traffic.of(stack)) {
			for (boolean graceful : new boolean[] { true, false }) {
				if (!graceful) {
					gateway.kill();
				}
				gateway.restart();
				gateway.awaitReady(Stacks.SOON);
				Instant ready = Instant.now();
				// the run may go on after the gateway is ready
				await().atMost(Stacks.SOON)
					.untilAsserted(() -> assertThat(runs()).anySatisfy(
							(started) -> assertThat(Instant.parse(started)).isBetween(gateway.started(), ready)));
				assertThat(Stacks.gate(stack.service())).isEqualTo("OPEN");
				assertThat(gateway.get(Stacks.ROOMS).status()).isEqualTo(200);
			}
			Stacks.assertNoAlarm(gateway);
			assertThat(users.isCalm()).isTrue();
		}
	}

	private static List<String> runs() {
		return stack.service().get(Stacks.WARMUP).read("$.runs[*].startedAt");
	}

	@Test
	void gatewayThatHangsDelaysNoInstanceBeyondItsDeadlineAndMissesOnlyALease() {
		App hanging = stack.gateways().get(1);
		try (Traffic users = Traffic.of(stack); Traffic others = Traffic.at(hanging)) {
			App leaving = stack.addService().awaitReady(Stacks.SOON);
			Instant paused = Instant.now().minusSeconds(1);
			hanging.pause();
			App newcomer = stack.addService();
			newcomer.awaitReady(Stacks.SOON);
			assertThat(Duration.between(newcomer.started(), Instant.now())).as("120 s from its own start")
				.isLessThan(Duration.ofSeconds(150));
			assertThat(leaving.stop()).isTrue(); // unheard by the gateway that hangs
			hanging.resume();
			Instant resumed = Instant.now();
			await().atMost(LEASE.multipliedBy(2)).until(others::isCalm);
			others.errorsBetween(paused, resumed.plus(LEASE));
			assertThat(newcomer.stop()).isTrue();
			assertThat(users.isCalm()).isTrue();
		}
		finally {
			hanging.resume();
		}
	}

	@Test
	void gatewayKilledInTheMiddleOfARunDelaysNoInstanceAndHurtsNoUser() {
		App killed = stack.gateways().get(2);
		try (Traffic users = Traffic.of(stack)) {
			App newcomer = stack.addService();
			Stacks.awaitWarming(killed, newcomer);
			killed.kill();
			newcomer.awaitReady(Stacks.SOON);
			Stacks.assertNoAlarm(newcomer);
			assertThat(newcomer.stop()).isTrue();
			killed.restart();
			killed.awaitReady(Stacks.SOON);
			assertThat(users.isCalm()).isTrue();
		}
	}

	/** With a route ahead of the locator's, which does not know of the base path. */
	@Test
	void gatewayBelowABasePathIsFoundThere() {
		String route = "--spring.cloud.gateway.server.webflux.routes[0].";
		try (Stack other = Stacks.counted("base-path", 5)
			.args(Stack.GATEWAY, "--spring.webflux.base-path=/api", route + "id=chat-service", route + "order=-1",
					route + "uri=lb://CHAT-SERVICE", route + "predicates[0]=Path=/chat-service/**",
					route + "filters[0]=StripPrefix=2")
			.start()) {
			Stacks.awaitPhase(other.service(), "WARM");
			await().atMost(Stacks.SOON).until(() -> other.get("/api" + Stacks.READY).status() == 200);
			await().atMost(Stacks.SOON).until(() -> other.get("/api" + Stacks.ROOMS).status() == 200);
			assertThat(other.get("/api/chat-service/actuator/warmup").status()).isEqualTo(404);
		}
	}

}
