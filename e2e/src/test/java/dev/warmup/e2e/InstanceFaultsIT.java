package dev.warmup.e2e;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.warmup.bench.load.Sample;
import dev.warmup.bench.stack.App;
import dev.warmup.bench.stack.Stack;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Instances that stop, hang, are killed, cannot be reached, or have lost their database.
 */
@Tag("faults")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class InstanceFaultsIT {

	/**
	 * Eureka counts a lease of 15 s twice after its last renewal; its removal and the
	 * next fetch take 5 s more.
	 */
	private static final Duration LEASE = Duration.ofSeconds(45);

	private static Stack stack;

	@BeforeAll
	static void start() {
		stack = Stacks.counted("instances", 20, "40s").start();
		stack.service().awaitReady(Stacks.SOON);
		Stacks.awaitUsers(stack);
	}

	@AfterAll
	static void stop() {
		stack.close();
	}

	@Test
	@Tag("full")
	void pausedInstanceGivesItsPermitsBack() {
		App paused = stack.addService();
		try (Fault fault = Fault.of("an instance is stopped (SIGSTOP) in the middle of its run", stack)) {
			Stacks.awaitWarming(stack.gateway(), paused);
			paused.pause();
			fault.begins();
			App next = stack.addService();
			fault.recovers(() -> next.get(Stacks.READY).status() == 200);
			fault.verdict("the next one: " + Stacks.verdicts(next, "STARTUP").get(0));
			fault.noErrors();
			next.stop();
			paused.kill();
		}
	}

	@Test
	void killedInstanceCostsUsersNoMoreThanItsLease() {
		App second = stack.addService().awaitReady(Stacks.SOON);
		try (Fault fault = Fault.of("kill -9 of one of two instances", stack)) {
			second.kill();
			fault.begins();
			fault.recovers(() -> fault.users().during(Duration.ofSeconds(3)).stream().allMatch(Sample::expected)
					&& !Stacks.registered(stack).containsKey("127.0.0.1:" + second.port()));
			fault.verdict("errors until its lease is over, as without the library");
			fault.errorsFor(LEASE);
		}
	}

	@Test
	@Tag("full")
	void gracefulStopWithAnOpenStreamEndsWithinKubernetesGracePeriod() throws IOException, InterruptedException {
		App second = stack.addService().awaitReady(Stacks.SOON);
		HttpResponse<InputStream> stream = HttpClient.newHttpClient()
			.send(HttpRequest.newBuilder(URI.create(second.url("/rooms/1/messages/stream"))).build(),
					HttpResponse.BodyHandlers.ofInputStream());
		try (Fault fault = Fault.of("scale-down of an instance that streams, while the registry hangs", stack)) {
			assertThat(stream.statusCode()).isEqualTo(200);
			stack.registry().pause();
			fault.begins();
			boolean ended = second.stop(Duration.ofSeconds(30));
			stack.registry().resume();
			fault.recovers(() -> ended);
			assertThat(ended).as("ended by itself").isTrue();
			fault.verdict("deregistered, ended by itself");
			fault.noErrors();
		}
		finally {
			stack.registry().resume();
			stream.body().close();
		}
	}

	@Test
	void partitionBetweenGatewayAndInstanceEndsInAVerdict() throws IOException {
		try (TcpProxy proxy = new TcpProxy()) {
			App partitioned = stack.addService("--eureka.instance.non-secure-port=" + proxy.port());
			proxy.to(partitioned.port());
			try (Fault fault = Fault.of("packets between gateway and instance are lost during its run", stack)) {
				Stacks.awaitWarming(stack.gateway(), partitioned);
				proxy.drop();
				fault.begins();
				Stacks.awaitVerdict(partitioned);
				fault.verdictOf(partitioned);
				partitioned.stop(); // before users are sent to where nothing arrives
				fault.recovers(() -> fault.users().during(Duration.ofSeconds(3)).stream().allMatch(Sample::expected));
				fault.errorsFor(Stacks.SOON);
			}
		}
	}

	@Test
	@Tag("full")
	void instanceWithoutItsDatabaseGetsNoUsers() {
		App second = stack.addService("--spring.r2dbc.url=r2dbc:postgresql://127.0.0.1:9/none",
				"--spring.flyway.enabled=false", "--eureka.client.healthcheck.enabled=true",
				"--spring.r2dbc.pool.max-acquire-time=1s", "--spring.r2dbc.pool.initial-size=0");
		try (Fault fault = Fault.of("database down at the start, with the health check on", stack).begins()) {
			Stacks.awaitVerdict(second);
			fault.verdictOf(second);
			fault.users().during(Duration.ofSeconds(15));
			assertThat(Stacks.registered(stack)).containsEntry("127.0.0.1:" + second.port(), "DOWN");
			fault.recovers(() -> true);
			fault.noErrors();
		}
		finally {
			second.stop();
		}
	}

	/** With what docs/reference.md, Limits, requires (spring-cloud-commons#1733). */
	@Test
	@Tag("full")
	void refreshOfTheConfigurationDuringARunChangesNothing() {
		App second = stack.addService("--management.endpoints.web.exposure.include=health,warmup,metrics,refresh",
				"--spring.cloud.refresh.never-refreshable=org.springframework.cloud.netflix.eureka.EurekaInstanceConfigBean");
		try (Fault fault = Fault.of("config refresh in the middle of a run", stack)) {
			Stacks.awaitWarming(stack.gateway(), second);
			fault.begins();
			assertThat(second.post("/actuator/refresh").status()).isEqualTo(200);
			fault.recovers(() -> second.get(Stacks.READY).status() == 200);
			fault.verdictOf(second);
			// TIMED_OUT on a slow machine
			assertThat(Stacks.verdicts(second, "STARTUP")).containsAnyOf("WARM", "TIMED_OUT");
			await().atMost(Stacks.SOON)
				.untilAsserted(
						() -> assertThat(Stacks.registered(stack)).containsEntry("127.0.0.1:" + second.port(), "UP"));
			fault.noErrors();
		}
		finally {
			second.stop();
		}
	}

	@Test
	void serviceKilledDuringARunLeavesNoMoreThanARequestInTheDatabase(@TempDir Path directory) throws IOException {
		try (Database database = new Database(directory.resolve("data"))) {
			try (Stack postgres = Stacks.counted("killed-with-database", 200, "60s")
				.prefix(database.settings())
				.services(0)
				.start()) {
				App lasting = postgres.addService().awaitReady(Stacks.SOON);
				Stacks.awaitUsers(postgres);
				int before = rooms(lasting);
				App killed = postgres.addService();
				try (Fault fault = Fault.of("kill -9 of a service in the middle of its run, with PostgreSQL",
						postgres)) {
					Stacks.awaitWarming(postgres.gateway(), killed);
					App.sleep(Duration.ofSeconds(3));
					killed.kill();
					fault.begins();
					fault.recovers(() -> postgres.get(Stacks.ROOMS).status() == 200);
					int left = rooms(lasting) - before;
					fault.verdict("%d room left behind".formatted(left));
					assertThat(left).isBetween(0, 1);
					fault.noErrors();
				}
			}
		}
	}

	private static int rooms(App service) {
		return service.get("/rooms").<List<?>>read("$[*]").size();
	}

}
