package dev.warmup.e2e;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

import dev.warmup.bench.load.Marks;
import dev.warmup.bench.stack.App;
import dev.warmup.bench.stack.Stack;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Promises 9, 10 and 12 at instances that hang, are killed, cannot be reached, are
 * stopped, or whose news is lost.
 */
@Tag("full")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class InstanceFaultsIT {

	private static final String DEADLINE = "--warmup.startup.deadline=30s";

	private static Stack stack;

	@BeforeAll
	static void start() {
		stack = Stacks.warm(Stacks.counted("instances", 5));
		Marks.put(stack.service());
	}

	@AfterAll
	static void stop() {
		stack.close();
	}

	@Test
	void instanceThatIsPausedInTheMiddleOfItsRunDelaysNoOther() {
		App paused = stack.addService();
		try (Traffic users = Traffic.of(stack)) {
			Stacks.awaitWarming(stack.gateway(), paused);
			paused.pause();
			App next = stack.addService().awaitReady(Stacks.SOON);
			users.awaitReaches(Marks.NONE);
			assertThat(next.stop()).isTrue();
		}
		finally {
			paused.kill();
		}
	}

	@Test
	void killedInstanceCostsUsersNoMoreThanItsLease() {
		App killed = stack.addService().awaitReady(Stacks.SOON);
		try (Traffic users = Traffic.of(stack)) {
			users.awaitReaches(Marks.NONE);
			killed.kill();
			Instant begin = Instant.now();
			users.errorsUntil(() -> !Stacks.registered(stack).containsKey(Stacks.id(killed)));
			// two leases of 15 s, as Eureka counts them, and its removal and the next
			// fetch
			users.errorsBetween(begin.minusSeconds(1), begin.plusSeconds(45));
		}
	}

	@Test
	void stoppedInstanceServesItsStreamWhileUsersGoElsewhereAndTheRegistryHangs()
			throws IOException, InterruptedException {
		App leaving = stack.addService().awaitReady(Stacks.SOON);
		HttpResponse<InputStream> stream = HttpClient.newHttpClient()
			.send(HttpRequest.newBuilder(URI.create(leaving.url("/rooms/1/messages/stream"))).build(),
					HttpResponse.BodyHandlers.ofInputStream());
		try (Traffic users = Traffic.of(stack)) {
			assertThat(stream.statusCode()).isEqualTo(200);
			users.awaitReaches(Marks.NONE);
			stack.registry().pause();
			assertThat(leaving.stop(Duration.ofSeconds(30))).as("ended within Kubernetes' grace period").isTrue();
			stack.registry().resume();
			assertThat(users.reaches(Marks.NONE)).isFalse();
		}
		finally {
			stack.registry().resume();
			stream.body().close();
		}
	}

	@Test
	void gateOpensAtTheDeadlineWhenPacketsBetweenGatewayAndInstanceAreLost() throws IOException {
		try (TcpProxy proxy = new TcpProxy(); Traffic users = Traffic.of(stack)) {
			App partitioned = stack.addService("--eureka.instance.non-secure-port=" + proxy.port(), DEADLINE);
			proxy.to(partitioned.port());
			Stacks.awaitWarming(stack.gateway(), partitioned);
			proxy.drop();
			Instant begin = Instant.now();
			partitioned.awaitReady(Duration.ofSeconds(60));
			partitioned.stop();
			users.errorsUntil(() -> true);
			users.errorsBetween(begin, Instant.now());
		}
	}

	@Test
	void gateOpensAtTheDeadlineWhenAnEndpointNeverAnswers() {
		App newcomer = stack.addService(DEADLINE,
				Stacks.catalog("endless", "{ name: rooms, requests: [GET /chat-service/rooms] }",
						"{ name: endless, requests: [{ name: endless, method: GET, "
								+ "path: /chat-service/rooms/1/messages/stream, timeout: 60s }] }"));
		try (Traffic users = Traffic.of(stack)) {
			newcomer.awaitUp(Stacks.SOON);
			newcomer.awaitReady(Duration.ofSeconds(60));
			users.awaitReaches(Marks.NONE);
			Stacks.awaitPhase(newcomer, "DEGRADED", "FAILED");
			stack.gateway()
				.awaitLog("%s DEGRADED startup: .*messages/stream".formatted(Stacks.id(newcomer)), Stacks.SOON);
			assertThat(newcomer.stop()).isTrue();
		}
	}

	/** The gateway is registered at a proxy that swallows each notice of an instance. */
	@Test
	void lostNewsIsRepairedByTheNextLook() throws IOException {
		try (TcpProxy proxy = new TcpProxy();
				Stack other = Stacks.counted("lost-news", 5, DEADLINE).gateways(0).start()) {
			proxy.refuse("POST /.warmup/instances/");
			App gateway = other.addGateway("--eureka.instance.non-secure-port=" + proxy.port());
			proxy.to(gateway.port());
			other.service().awaitReady(Stacks.SOON);
			Stacks.awaitUsers(other);
			Marks.put(other.service());
			try (Traffic users = Traffic.of(other)) {
				App newcomer = other.addService().awaitReady(Stacks.SOON);
				users.awaitReaches(Marks.NONE);
				Instant leaving = Instant.now();
				assertThat(newcomer.stop()).isTrue();
				users.errorsUntil(() -> true);
				users.errorsBetween(leaving, leaving.plusSeconds(45));
			}
		}
	}

}
