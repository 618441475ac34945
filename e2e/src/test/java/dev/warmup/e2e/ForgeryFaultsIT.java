package dev.warmup.e2e;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import dev.warmup.bench.stack.Answer;
import dev.warmup.bench.stack.App;
import dev.warmup.bench.stack.Stack;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Claims that are old, too many, or sent where they must not arrive. */
@Tag("faults")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class ForgeryFaultsIT {

	private static final int SIMULATED = 100;

	private static final int REQUESTS_EACH = 20;

	private static Stack stack;

	private static Claimant recorder;

	@BeforeAll
	static void start() {
		stack = Stacks.counted("forgery", 20, "60s").gateways(0).start();
		recorder = Claimant.register(stack, "recorder", "recorder-1");
		String routes = "--spring.cloud.gateway.server.webflux.routes";
		stack.addGateway(routes + "[0].id=chat-service", routes + "[0].uri=lb://CHAT-SERVICE",
				routes + "[0].predicates[0]=Path=/chat-service/**", routes + "[0].filters[0]=StripPrefix=1",
				routes + "[1].id=direct", routes + "[1].uri=" + recorder.url(),
				routes + "[1].predicates[0]=Path=/recorder/**");
		Stacks.awaitPhase(stack.service(), "WARM");
		Stacks.awaitUsers(stack);
	}

	@AfterAll
	static void stop() {
		recorder.close();
		stack.close();
	}

	@Test
	@Tag("full")
	void endlessStreamsOfOneClaimantLeaveRoomForOthers() {
		try (Claimant greedy = Claimant.register(stack, "greedy", "greedy-1").awaitKnown(stack.gateway());
				Claimant other = Claimant.register(stack, "modest", "modest-1").awaitKnown(stack.gateway());
				Fault fault = Fault.of("two endless streams by a valid claim", stack).begins()) {
			HttpClient client = HttpClient.newHttpClient();
			await().atMost(Stacks.SOON)
				.until(() -> greedy.send(stack.gateway(), "/", greedy.claim(stack.gateway())).status() == 200);
			List<CompletableFuture<?>> streams = IntStream.range(0, 2)
				.<CompletableFuture<?>>mapToObj((i) -> client
					.sendAsync(HttpRequest.newBuilder(URI.create(stack.gateway().url("/greedy/endless")))
						.header("X-Warmup", greedy.claim(stack.gateway()))
						.build(), HttpResponse.BodyHandlers.ofString()))
				.toList();
			await().atMost(Stacks.SOON)
				.until(() -> other.send(stack.gateway(), "/", other.claim(stack.gateway())).status() == 200);
			fault.recovers(() -> streams.stream().allMatch(CompletableFuture::isDone));
			fault.verdict("another is warmed meanwhile; cut off after a minute");
			fault.noErrors();
		}
	}

	@Test
	@Tag("full")
	void claimFromBeforeARestartIsAUsersRequest() {
		try (Claimant claimant = Claimant.register(stack, "restarted", "restarted-1").awaitKnown(stack.gateway());
				Fault fault = Fault.of("a claim from before a restart", stack).begins()) {
			String old = claimant.claim(stack.gateway());
			await().atMost(Stacks.SOON).until(() -> claimant.send(stack.gateway(), "/", old).status() == 200);
			claimant.restart();
			fault.recovers(() -> claimant.send(stack.gateway(), "/", old).status() != 200);
			await().atMost(Stacks.SOON)
				.until(() -> claimant.send(stack.gateway(), "/", claimant.claim(stack.gateway())).status() == 200);
			assertThat(claimant.send(stack.gateway(), "/", old).status()).isIn(404, 503);
			fault.verdict("served as a user's, of whom STARTING gets none");
			fault.noErrors();
		}
	}

	@Test
	@Tag("full")
	void directRouteReceivesNoCredential() {
		try (Claimant claimant = Claimant.register(stack, "caller", "caller-1").awaitKnown(stack.gateway());
				Fault fault = Fault.of("claims to a route without load balancing", stack).begins()) {
			await().atMost(Stacks.SOON)
				.until(() -> claimant.send(stack.gateway(), "/", claimant.claim(stack.gateway())).status() == 200);
			assertThat(Answer
				.send(HttpRequest.newBuilder(URI.create(stack.gateway().url("/recorder/x")))
					.header("X-Warmup", claimant.claim(stack.gateway())))
				.status()).isEqualTo(200);
			fault.recovers(() -> !recorder.received().isEmpty());
			assertThat(recorder.received()).allSatisfy((headers) -> {
				assertThat(headers.values().toString()).doesNotContain("eyJ");
				assertThat(headers.keySet()).noneMatch((name) -> name.equalsIgnoreCase("X-Warmup"));
			});
			fault.verdict("no credential arrives");
			fault.noErrors();
		}
	}

	@Test
	void hundredInstancesAreAllWarmedBesideUsers() {
		List<Claimant> claimants = IntStream.range(0, SIMULATED)
			.mapToObj((i) -> Claimant.register(stack, "many", "many-" + i))
			.toList();
		try (Fault fault = Fault
			.of("a hundred instances are warmed at once, %d requests each".formatted(REQUESTS_EACH), stack)
			.begins()) {
			AtomicInteger answered = new AtomicInteger();
			List<Thread> runs = claimants.stream()
				.map((claimant) -> new Thread(() -> replay(claimant, answered)))
				.toList();
			runs.forEach(Thread::start);
			fault.recovers(() -> answered.get() == SIMULATED * REQUESTS_EACH);
			assertThat(Duration.ofSeconds(300)).as("a startup probe's time limit").isGreaterThan(fault.recovery());
			fault.verdict("all answered");
			fault.noErrors();
		}
		finally {
			claimants.forEach(Claimant::close);
		}
	}

	/** As a run does: what the gateway is too busy for is sent again. */
	private static void replay(Claimant claimant, AtomicInteger answered) {
		claimant.awaitKnown(stack.gateway());
		long end = System.nanoTime() + Stacks.SOON.toNanos();
		for (int sent = 0; sent < REQUESTS_EACH && System.nanoTime() < end;) {
			if (claimant.send(stack.gateway(), "/", claimant.claim(stack.gateway())).status() == 200) {
				sent++;
				answered.incrementAndGet();
			}
			else {
				App.sleep(Duration.ofMillis(200));
			}
		}
	}

}
