package dev.warmup.bench.scenario;

import java.time.Duration;
import java.util.List;

import dev.warmup.bench.stack.App;
import dev.warmup.bench.stack.Stack;
import dev.warmup.bench.variant.Site;
import dev.warmup.bench.variant.Variant;

/**
 * Three instances that start together on the same processors, so that each slows the
 * others down: what their runs found steady, against what the same requests take a minute
 * later, when each instance has the processors for itself.
 */
final class Together {

	private static final String RUNS = "/actuator/warmup";

	private Together() {
	}

	static void measure(Site site, Variant variant, Recorder recorder) {
		try (Stack stack = variant.start(site, "together", (builder) -> builder.services(3)
			.args(Stack.SERVICE, "--management.endpoint.warmup.access=unrestricted", "--warmup.idle.after=0"))) {
			List<App> services = stack.services();
			services.forEach((service) -> awaitRun(service, "STARTUP"));
			App.sleep(Duration.ofSeconds(site.quick() ? 5 : 60));
			for (App service : services) {
				double predicted = steadyMillis(service, "STARTUP");
				service.post(RUNS);
				awaitRun(service, "MANUAL");
				double later = steadyMillis(service, "MANUAL");
				String part = service.name();
				recorder.record(part, "steady by its run", "ms", predicted);
				recorder.record(part, "a minute later", "ms", later);
				recorder.record(part, "ratio", "", predicted / later);
				recorder.note("%s was %s".formatted(part, read(service, "STARTUP", "verdict")));
			}
		}
	}

	private static void awaitRun(App service, String trigger) {
		service.await("the end of its run " + trigger, Stack.START,
				() -> service.get(RUNS)
					.<List<?>>find("$.runs[?(@.trigger == '%s')]".formatted(trigger))
					.filter((runs) -> !runs.isEmpty())
					.isPresent());
	}

	private static double steadyMillis(App service, String trigger) {
		return Duration.parse(read(service, trigger, "steadyP50")).toNanos() / 1e6;
	}

	private static String read(App service, String trigger, String field) {
		return service.get(RUNS).<List<String>>read("$.runs[?(@.trigger == '%s')].%s".formatted(trigger, field)).get(0);
	}

}
