package dev.warmup.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.warmup.bench.load.Marks;
import dev.warmup.bench.stack.Answer;
import dev.warmup.bench.stack.App;
import dev.warmup.bench.stack.Stack;
import dev.warmup.e2e.adopter.ServiceProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Users at a steady rate while an operator, a deployment, or an external client
 * interferes.
 */
@Tag("full")
@Tag("faults")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class FaultsIT {

	@Test
	void runOfAnInstanceThatIsOutOfServiceBringsItNoUsers() {
		try (Stack stack = Stacks.counted("out-of-service", 20, "150s").services(2).start()) {
			stack.services().forEach((service) -> Stacks.awaitPhase(service, "WARM"));
			Stacks.awaitUsers(stack);
			stack.services().forEach(Marks::put);
			App retired = stack.services().get(1);
			try (Fault fault = Fault.of("an instance is OUT_OF_SERVICE, and runs on demand", stack)) {
				await().atMost(Stacks.SOON).until(() -> servedBy(retired, fault, 2));
				assertThat(setStatus(stack, retired, "OUT_OF_SERVICE")).isEqualTo(200);
				fault.begins();
				fault.recovers(() -> !servedBy(retired, fault, 5));
				Stacks.startRun(retired);
				await().atMost(Stacks.SOON)
					.untilAsserted(() -> assertThat(Stacks.verdicts(retired, "MANUAL")).isNotEmpty());
				assertThat(servedBy(retired, fault, 10)).isFalse();
				fault.verdict(Stacks.verdicts(retired, "MANUAL").get(0) + ", and no users");
				fault.noErrors();
			}
		}
	}

	@Test
	void applicationThatRefusesTrafficAtTheEndOfItsRunGetsNoUsers() {
		try (Stack stack = Stacks.counted("refusing", 20, "60s").services(0).start()) {
			addVault(stack, 1, 20).awaitReady(Stacks.SOON);
			await().atMost(Stacks.SOON).until(() -> stack.get("/vault/instance").status() == 200);
			try (Fault fault = Fault.of("an application refuses traffic at the end of its run", stack,
					"/vault/instance")) {
				App refusing = addVault(stack, 2, 300);
				String id = "127.0.0.1:" + refusing.port();
				Stacks.awaitWarming(stack.gateway(), refusing);
				assertThat(refusing.post("/readiness/REFUSING_TRAFFIC").status()).isEqualTo(204);
				fault.begins();
				Stacks.awaitVerdict(refusing);
				fault.verdictOf(refusing);
				assertThat(fault.users().during(Duration.ofSeconds(10))).isNotEmpty()
					.noneMatch((sample) -> sample.instance().equals(id));
				assertThat(Stacks.registered(stack, "VAULT").get(id)).isNotEqualTo("UP");
				assertThat(refusing.post("/readiness/ACCEPTING_TRAFFIC").status()).isEqualTo(204);
				fault.recovers(() -> fault.users()
					.during(Duration.ofSeconds(2))
					.stream()
					.anyMatch((sample) -> sample.instance().equals(id)));
				fault.noErrors();
			}
		}
	}

	/** The gateway would learn of it two minutes later from the registry. */
	@Test
	void applicationThatAcceptsTrafficAfterTheEndOfItsRunGetsUsersThen() {
		try (Stack stack = Stacks.counted("accepting", 20, "60s")
			.services(0)
			.args(Stack.GATEWAY, "--eureka.client.registry-fetch-interval-seconds=120")
			.start()) {
			stack.gateway().awaitReady(Stacks.SOON);
			App late = addVault(stack, 1, 300);
			Stacks.awaitWarming(stack.gateway(), late);
			assertThat(late.post("/readiness/REFUSING_TRAFFIC").status()).isEqualTo(204);
			Stacks.awaitVerdict(late);
			App.sleep(Duration.ofSeconds(15));
			assertThat(stack.get("/vault/instance").status()).isEqualTo(503);
			assertThat(late.post("/readiness/ACCEPTING_TRAFFIC").status()).isEqualTo(204);
			await().atMost(Duration.ofSeconds(20)).until(() -> stack.get("/vault/instance").status() == 200);
		}
	}

	private static App addVault(Stack stack, int number, int repetitions) {
		return stack.addOther("vault-" + number, ServiceProcess.options(ServiceProcess.VAULT),
				ServiceProcess.arguments(ServiceProcess.VAULT, repetitions));
	}

	@Test
	void instancesWithNothingToWarmRestartUnderTheirOldIdsWithoutAnError() throws IOException {
		Path catalog = Files.writeString(Stacks.directory("catalog").resolve("nothing.yml"), """
				version: 1
				scenarios:
				  - { name: others, service: another-service, requests: [GET /another-service] }
				""");
		try (Stack stack = Stacks.counted("nothing-to-warm", 20, "150s", "--warmup.catalog=" + catalog.toUri())
			.services(2)
			.start()) {
			stack.services().forEach((service) -> service.awaitReady(Stacks.SOON));
			await().atMost(Stacks.SOON)
				.untilAsserted(() -> assertThat(Stacks.registered(stack).values()).containsExactly("UP", "UP"));
			Stacks.awaitUsers(stack);
			try (Fault fault = Fault.of("two instances with nothing to warm restart under their old ids", stack)
				.begins()) {
				for (App service : stack.services()) {
					App.sleep(Duration.ofSeconds(5));
					service.restart();
					service.awaitReady(Stacks.SOON);
					fault.recovers(() -> List.of("UP", "UP").equals(List.copyOf(Stacks.registered(stack).values())));
				}
				App.sleep(Duration.ofSeconds(5));
				fault.verdict("SKIPPED");
				fault.noErrors();
			}
		}
	}

	private static boolean servedBy(App service, Fault fault, int seconds) {
		return fault.users()
			.during(Duration.ofSeconds(seconds))
			.stream()
			.anyMatch((sample) -> sample.instance().equals(service.name()));
	}

	private static int setStatus(Stack stack, App service, String status) {
		String instance = "/eureka/apps/CHAT-SERVICE/127.0.0.1:%d/status?value=%s".formatted(service.port(), status);
		return Answer.to("PUT", stack.registry().url(instance)).status();
	}

}
