package dev.warmup.e2e;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.warmup.bench.stack.App;
import dev.warmup.bench.stack.Stack;
import dev.warmup.protocol.SignedClaim;
import dev.warmup.protocol.WarmupKey;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Hundreds of forged claims a second. Alone: they are served as users' requests, and two
 * processors have no room for that, a newcomer and another test at once.
 */
@Tag("faults")
@Isolated
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class FloodFaultsIT {

	private static final Duration EACH = Duration.ofMillis(2); // 500 a second

	private static final int DIFFERENT = 500;

	private static final int MOST_UNANSWERED = 200;

	@Test
	void floodOfForgedClaimsDelaysNoNewcomer() {
		try (Stack stack = Stacks.counted("flood", 20, "60s").start()) {
			Stacks.awaitPhase(stack.service(), "WARM");
			Stacks.awaitUsers(stack);
			try (Fault fault = Fault.of("500 forged claims a second while an instance joins", stack).begins()) {
				App newcomer = stack.addService();
				Flood flood = new Flood(stack.gateway(), stack.services());
				try (flood) {
					fault.recovers(() -> newcomer.get(Stacks.READY).status() == 200);
				}
				fault.verdictOf(newcomer);
				// TIMED_OUT on a slow machine
				assertThat(Stacks.verdicts(newcomer, "STARTUP")).containsAnyOf("WARM", "TIMED_OUT");
				assertThat(flood.sent()).isGreaterThan(1000);
				fault.noErrors();
			}
		}
	}

	/**
	 * Claims at a steady rate, whatever they are answered: of hundreds of unknown
	 * instances, and in the names of known ones.
	 */
	private static final class Flood implements AutoCloseable {

		private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

		private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

		private final Semaphore unanswered = new Semaphore(MOST_UNANSWERED);

		private final WarmupKey forger = WarmupKey.generate(Clock.systemUTC());

		private final AtomicInteger sent = new AtomicInteger();

		Flood(App gateway, List<App> known) {
			this.timer.scheduleAtFixedRate(() -> send(gateway, known), 0, EACH.toMillis(), TimeUnit.MILLISECONDS);
		}

		private void send(App gateway, List<App> known) {
			if (!this.unanswered.tryAcquire()) {
				return;
			}
			int number = this.sent.incrementAndGet() % DIFFERENT; // signed once a minute
			String instance = (number % 2 == 0) ? "nowhere-" + number
					: "127.0.0.1:" + known.get(number / 2 % known.size()).port();
			String claim = this.forger.claim(instance, "gateway", SignedClaim.Scope.REPLAY, "flood-" + number).format();
			CompletableFuture<?> unused = this.client
				.sendAsync(HttpRequest.newBuilder(URI.create(gateway.url("/chat-service/no-such-path")))
					.header("X-Warmup", claim)
					.timeout(Duration.ofSeconds(10))
					.build(), HttpResponse.BodyHandlers.discarding())
				.whenComplete((answer, error) -> this.unanswered.release());
		}

		int sent() {
			return this.sent.get();
		}

		@Override
		public void close() {
			this.timer.shutdownNow();
		}

	}

}
