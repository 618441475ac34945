package dev.warmup.e2e;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.warmup.bench.stack.Answer;
import dev.warmup.bench.stack.App;
import dev.warmup.bench.stack.Stack;
import dev.warmup.e2e.adopter.ServiceProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Promise 11: a service without a catalog, one without the library, a gateway without it,
 * and a rollout from one to the other are full citizens. Of two gateways only one has the
 * library.
 */
@Tag("full")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class MixedIT {

	private static final String PATH = "/inventory/instance";

	private static Stack stack;

	private static App plain;

	private static App warming;

	@BeforeAll
	static void start() {
		stack = Stacks.counted("mixed", 5).gateways(0).start();
		plain = stack.addGateway("--warmup.enabled=false");
		warming = stack.addGateway();
	}

	@AfterAll
	static void stop() {
		stack.close();
	}

	@Test
	void serviceIsWarmedThroughTheGatewayThatHasTheLibrary() {
		Stacks.awaitPhase(stack.service(), "WARM");
		warming.awaitReady(Stacks.SOON);
		for (App gateway : List.of(plain, warming)) {
			await().atMost(Stacks.SOON).until(() -> gateway.get(Stacks.ROOMS).status() == 200);
		}
		App newcomer = stack.addService();
		try (Traffic some = Traffic.at(plain); Traffic others = Traffic.at(warming)) {
			Stacks.awaitPhase(newcomer, "WARM");
			assertThat(some.isCalm() && others.isCalm()).isTrue();
		}
		newcomer.stop();
	}

	/** From without the library to without a catalog to with one, and back. */
	@Test
	void mixedRolloutHurtsNoUserOfTheGatewayThatHasTheLibrary() {
		App previous = ServiceProcess.inventoryWithoutLibrary(stack, 1).awaitUp(Stacks.SOON);
		await().atMost(Stacks.SOON).until(() -> warming.get(PATH).status() == 200);
		assertThat(previous.get(Stacks.READY).status()).isEqualTo(404);
		try (Traffic users = Traffic.at(warming, PATH, 20)) {
			for (int step = 2; step <= 4; step++) {
				App next = switch (step) {
					case 2 -> ServiceProcess.inventoryWithoutCatalog(stack, step).awaitReady(Stacks.SOON);
					case 3 -> ServiceProcess.inventory(stack, step, Stacks.counted(5)).awaitReady(Stacks.SOON);
					default -> ServiceProcess.inventoryWithoutLibrary(stack, step).awaitUp(Stacks.SOON);
				};
				users.awaitReaches(Stacks.id(next));
				if (step == 2) {
					retire(previous);
				}
				else {
					assertThat(previous.stop()).isTrue();
				}
				previous = next;
			}
		}
	}

	/** Without the library an operator has to do it, since gateways get no news. */
	private static void retire(App withoutLibrary) {
		String status = "/eureka/apps/INVENTORY/%s/status?value=OUT_OF_SERVICE".formatted(Stacks.id(withoutLibrary));
		Answer.to("PUT", stack.registry().url(status));
		App.sleep(Duration.ofSeconds(8));
		withoutLibrary.stop();
	}

	@Test
	void gateOpensWithOnlyAGatewayThatHasNotTheLibrary() {
		try (Stack other = Stacks.counted("plain-gateway", 5, "--warmup.startup.deadline=20s")
			.args(Stack.GATEWAY, "--warmup.enabled=false")
			.start()) {
			other.service().awaitUp(Stacks.SOON);
			other.service().awaitReady(Duration.ofSeconds(60));
			Stacks.awaitUsers(other);
		}
	}

}
