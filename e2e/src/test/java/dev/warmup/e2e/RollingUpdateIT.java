package dev.warmup.e2e;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.warmup.bench.stack.App;
import dev.warmup.bench.stack.Stack;
import dev.warmup.e2e.adopter.ServiceProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Promise 2: three instances are replaced one after the other under 100 users a second,
 * and none of them meets an error. With changing ids each stops when its successor takes
 * users; with stable ids each starts again under its old id, as in a StatefulSet.
 */
@Tag("full")
@Isolated("100 users a second need the machine")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class RollingUpdateIT {

	private static final int PER_SECOND = 100;

	/** All have read the registry since all are registered. */
	private static final Duration SETTLED = Duration.ofSeconds(10);

	private static final Duration PAUSE = Duration.ofSeconds(2);

	@ParameterizedTest(name = "{0}, stable ids: {1}, catalog: {2}")
	@CsvSource({ "reactive, false, true", "servlet, true, true", "reactive, true, false", "servlet, false, false" })
	void noUserMeetsAnError(String kind, boolean stableIds, boolean catalog) {
		boolean reactive = kind.equals("reactive");
		String path = reactive ? Stacks.ROOMS : "/inventory/stock";
		Stack.Builder builder = Stacks.counted("rolling-%s-%s-%s".formatted(kind, stableIds, catalog), 5)
			.services(reactive ? 3 : 0);
		if (!catalog) {
			builder.args(Stack.SERVICE, Stacks.nothingToReplay("rolling-" + stableIds));
		}
		try (Stack stack = builder.start()) {
			List<App> instances = new ArrayList<>(stack.services());
			for (int i = instances.size(); i < 3; i++) {
				instances.add(inventory(stack, i, catalog));
			}
			instances.forEach((instance) -> instance.awaitReady(Stacks.SOON));
			stack.gateway().awaitReady(Stacks.SOON);
			await().atMost(Stacks.SOON).until(() -> stack.get(path).status() == 200);
			try (Traffic users = Traffic.at(stack.gateway(), path, PER_SECOND)) {
				users.during(SETTLED);
				for (App instance : instances) {
					if (stableIds) {
						instance.restart();
						instance.awaitReady(Stacks.SOON);
					}
					else {
						App successor = reactive ? stack.addService()
								: inventory(stack, instances.size() + instances.indexOf(instance), catalog);
						successor.awaitReady(Stacks.SOON);
						assertThat(instance.stop()).isTrue();
					}
					users.during(PAUSE);
				}
			}
		}
	}

	private static App inventory(Stack stack, int number, boolean catalog) {
		return catalog ? ServiceProcess.inventory(stack, number, Stacks.counted(5))
				: ServiceProcess.inventoryWithoutCatalog(stack, number);
	}

}
