package dev.warmup.e2e;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import dev.warmup.bench.stack.App;
import dev.warmup.bench.stack.Stack;
import dev.warmup.e2e.adopter.ServiceProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Promise 2: of a reactive and a servlet service, three instances each are replaced one
 * after the other under 100 users a second, and none of them meets an error. With a
 * catalog, the reactive service has changing ids and the servlet one stable ids; without
 * it is the other way round.
 */
@Tag("full")
@Isolated("200 users a second need the machine")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class RollingUpdateIT {

	private static final String STOCK = "/inventory/stock";

	private static final int INSTANCES = 3;

	private static final int PER_SECOND = 100;

	/** All have read the registry since all are registered. */
	private static final Duration SETTLED = Duration.ofSeconds(10);

	private static final Duration PAUSE = Duration.ofSeconds(2);

	@ParameterizedTest(name = "catalog: {0}")
	@ValueSource(booleans = { true, false })
	void noUserMeetsAnError(boolean catalog) {
		Stack.Builder builder = Stacks.counted("rolling-" + catalog, 5).services(INSTANCES);
		if (!catalog) {
			builder.args(Stack.SERVICE, Stacks.nothingToReplay("rolling"));
		}
		try (Stack stack = builder.start()) {
			List<App> reactive = stack.services();
			List<App> servlet = IntStream.range(0, INSTANCES).mapToObj((i) -> inventory(stack, i, catalog)).toList();
			reactive.forEach((instance) -> instance.awaitReady(Stacks.SOON));
			servlet.forEach((instance) -> instance.awaitReady(Stacks.SOON));
			stack.gateway().awaitReady(Stacks.SOON);
			for (String path : List.of(Stacks.ROOMS, STOCK)) {
				await().atMost(Stacks.SOON).until(() -> stack.get(path).status() == 200);
			}
			try (Traffic some = Traffic.at(stack.gateway(), Stacks.ROOMS, PER_SECOND);
					Traffic others = Traffic.at(stack.gateway(), STOCK, PER_SECOND)) {
				some.during(SETTLED);
				for (int i = 0; i < INSTANCES; i++) {
					int number = INSTANCES + i;
					CompletableFuture<Void> replacing = replace(reactive.get(i), !catalog, stack::addService);
					replace(servlet.get(i), catalog, () -> inventory(stack, number, catalog)).join();
					replacing.join();
					others.during(PAUSE);
				}
			}
		}
	}

	/**
	 * With a stable id, as in a StatefulSet, an instance starts again; otherwise it stops
	 * when its successor takes users.
	 */
	private static CompletableFuture<Void> replace(App instance, boolean stableId, Supplier<App> successor) {
		return CompletableFuture.runAsync(() -> {
			if (stableId) {
				instance.restart();
				instance.awaitReady(Stacks.SOON);
			}
			else {
				successor.get().awaitReady(Stacks.SOON);
				assertThat(instance.stop()).isTrue();
			}
		});
	}

	private static App inventory(Stack stack, int number, boolean catalog) {
		return catalog ? ServiceProcess.inventory(stack, number, Stacks.counted(5))
				: ServiceProcess.inventoryWithoutCatalog(stack, number);
	}

}
