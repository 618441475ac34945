package dev.warmup.run;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.warmup.LenientCriteria;
import dev.warmup.catalog.Catalog;
import dev.warmup.protocol.Gate;
import dev.warmup.protocol.Listeners;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.UserActivity;
import dev.warmup.protocol.Verdict;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.client.HttpClient;
import reactor.test.StepVerifier;

import org.springframework.web.reactive.function.client.WebClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A whole run on real threads; BlockHound sees that none of it blocks an event loop.
 */
class RunOverHttpTests {

	@Test
	void aCatalogThatHangsEndsTheRun() {
		CompletableFuture<Catalog> hanging = new CompletableFuture<>();
		Gate gate = new Gate(true, Gate.Position.OPEN, () -> {
		});
		WarmupRunner runner = new WarmupRunner(() -> RunFixture.SELF, hanging::join,
				RunFixture.locator(() -> Mono.just(List.of())), new WarmupTasks(List::of, Timing.system()),
				new GatewayRun.Shared(
						new GatewayClient(WebClient.create(), RunFixture.KEY, "gateway", Clock.systemUTC()),
						new Replayer(HttpClient.create(), Schedulers.parallel()), new Listeners<>(List.of()),
						new WarmupState(Clock.systemUTC(), List.of()),
						new RunSettings(Duration.ofSeconds(1), 2, 2, 2, 1, 1, LenientCriteria.AT_ONCE, Trigger.STARTUP,
								Duration.ofMinutes(2), Duration.ofSeconds(10), false, Duration.ZERO),
						Timing.system()),
				gate, () -> Mono.just(true), new UserActivity(Clock.systemUTC()));
		try {
			StepVerifier.create(runner.run(Trigger.STARTUP))
				.assertNext((runs) -> assertThat(runs).singleElement().satisfies((run) -> {
					assertThat(run.verdict()).isEqualTo(Verdict.FAILED);
					assertThat(run.reason()).isPresent();
				}))
				.expectComplete()
				.verify(Duration.ofMinutes(1));
			assertThat(gate.isOpen()).isTrue();
		}
		finally {
			hanging.complete(RunFixture.CATALOG);
		}
	}

}
