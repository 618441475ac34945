package dev.warmup.e2e;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import dev.warmup.bench.load.Sample;
import dev.warmup.bench.stack.App;
import dev.warmup.bench.stack.Stack;
import dev.warmup.e2e.adopter.ServiceProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Promise 1: three instances join at once, and no user of either gateway reaches one
 * before its gate opens. One gateway reads its registry rarely, so that it learns of them
 * by their news, and the other one sees instances that are STARTING, too.
 */
@Tag("full")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class JoinIT {

	private static final String PATH = "/inventory/instance";

	@Test
	void noUserReachesAnInstanceBeforeItsGateOpens() {
		try (Stack stack = Stacks.counted("join", 1).gateways(0).services(0).start()) {
			App first = add(stack, 1);
			first.await("its registration", Stacks.SOON,
					() -> Stacks.registered(stack, "INVENTORY").containsValue("UP"));
			App rare = stack.addGateway("--eureka.client.registry-fetch-interval-seconds=120");
			App curious = stack.addGateway("--eureka.client.filter-only-up-instances=false");
			first.awaitReady(Stacks.SOON);
			for (App gateway : List.of(rare, curious)) {
				gateway.awaitReady(Stacks.SOON);
				gateway.await("a user's answer", Stacks.SOON, () -> gateway.get(PATH).status() == 200);
			}
			try (Traffic some = Traffic.at(rare, PATH, 20); Traffic others = Traffic.at(curious, PATH, 20)) {
				List<App> newcomers = IntStream.rangeClosed(2, 4).mapToObj((i) -> add(stack, i)).toList();
				Map<String, Instant> closed = new ConcurrentHashMap<>();
				CompletableFuture
					.allOf(newcomers.stream()
						.map((newcomer) -> CompletableFuture
							.runAsync(() -> closed.put(Stacks.id(newcomer), Stacks.lastClosed(newcomer))))
						.toArray(CompletableFuture<?>[]::new))
					.join();
				for (Traffic users : List.of(some, others)) {
					newcomers.forEach((newcomer) -> users.awaitReaches(Stacks.id(newcomer)));
					assertThat(
							users.since(first.started()).stream().filter((sample) -> tooEarly(sample, closed)).limit(5))
						.isEmpty();
				}
				assertThat(newcomers).allSatisfy((newcomer) -> assertThat(Stacks.gate(newcomer)).isEqualTo("OPEN"));
			}
		}
	}

	private static boolean tooEarly(Sample sample, Map<String, Instant> closed) {
		return sample.end().isBefore(closed.getOrDefault(sample.instance(), Instant.MIN));
	}

	private static App add(Stack stack, int number) {
		return ServiceProcess.inventory(stack, number, Stacks.counted(50));
	}

}
