package dev.warmup.e2e;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import dev.warmup.bench.load.Marks;
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
 * Promise 3: what the registry or the instance's own health refuses gets no user, after
 * any run.
 */
@Tag("full")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class HealthIT {

	private static final Duration LONG_ENOUGH = Duration.ofSeconds(10);

	private static Stack stack;

	@BeforeAll
	static void start() {
		stack = Stacks.warm(Stacks.counted("health", 5));
		Marks.put(stack.service());
	}

	@AfterAll
	static void stop() {
		stack.close();
	}

	@Test
	void outOfServiceStaysSoAfterARun() {
		App retired = stack.addService().awaitReady(Stacks.SOON);
		Marks.put(retired);
		try (Traffic users = Traffic.of(stack)) {
			users.awaitReaches(retired.name());
			String status = "/eureka/apps/CHAT-SERVICE/%s/status?value=OUT_OF_SERVICE".formatted(Stacks.id(retired));
			assertThat(Answer.to("PUT", stack.registry().url(status)).status()).isEqualTo(200);
			await().atMost(Stacks.SOON).until(() -> !users.reaches(retired.name()));
			Stacks.startRun(retired);
			await().atMost(Stacks.SOON)
				.untilAsserted(() -> assertThat(Stacks.verdicts(retired, "MANUAL")).isNotEmpty());
			assertThat(users.during(LONG_ENOUGH)).noneMatch((sample) -> sample.instance().equals(retired.name()));
		}
		finally {
			retired.stop();
		}
	}

	@Test
	void applicationThatRefusesTrafficAtTheEndOfItsRunGetsUsersOnlyWhenItAcceptsThem() {
		ServiceProcess.inventory(stack, 1, Stacks.counted(5)).awaitReady(Stacks.SOON);
		String path = "/inventory/instance";
		await().atMost(Stacks.SOON).until(() -> stack.get(path).status() == 200);
		try (Traffic users = Traffic.at(stack.gateway(), path, 20)) {
			App refusing = ServiceProcess.inventory(stack, 2, "--warmup.startup.min-repetitions=5000");
			Stacks.awaitWarming(stack.gateway(), refusing);
			assertThat(refusing.post("/readiness/REFUSING_TRAFFIC").status()).isEqualTo(204);
			Stacks.awaitVerdict(refusing);
			assertThat(users.during(LONG_ENOUGH)).isNotEmpty()
				.noneMatch((sample) -> sample.instance().equals(Stacks.id(refusing)));
			assertThat(refusing.post("/readiness/ACCEPTING_TRAFFIC").status()).isEqualTo(204);
			users.awaitReaches(Stacks.id(refusing));
		}
	}

	@Test
	void instanceWithoutItsDatabaseIsDownAndGetsNoUsers() {
		App down = stack.addService("--spring.r2dbc.url=r2dbc:postgresql://127.0.0.1:9/none",
				"--spring.flyway.enabled=false", "--eureka.client.healthcheck.enabled=true",
				"--warmup.startup.deadline=20s");
		try (Traffic users = Traffic.of(stack)) {
			down.awaitUp(Stacks.SOON);
			await().atMost(Stacks.SOON)
				.untilAsserted(() -> assertThat(Stacks.registered(stack)).containsEntry(Stacks.id(down), "DOWN"));
			Stacks.awaitVerdict(down);
			assertThat(users.during(LONG_ENOUGH)).noneMatch((sample) -> sample.instance().equals(Marks.NONE));
		}
		finally {
			down.stop();
		}
	}

}
