package dev.warmup.bench.scenario;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import dev.warmup.bench.growth.GatewayCost;
import dev.warmup.bench.growth.SimulatedFleet;
import dev.warmup.bench.growth.WideCatalog;
import dev.warmup.bench.process.Jvm;
import dev.warmup.bench.result.Recorder;
import dev.warmup.bench.result.Unit;
import dev.warmup.bench.schedule.Scenario;
import dev.warmup.bench.schedule.Step;
import dev.warmup.bench.stack.Answer;
import dev.warmup.bench.stack.Stack;
import dev.warmup.bench.variant.Variant;

/**
 * How the cost of the warm-up grows with what it is given: the catalog, by one run of a
 * fresh stack for each size; and the instances that a gateway knows, by one stack whose
 * fleet grows, the chat-service being the first of it.
 * <p>
 * {@code gateway cpu} is for 2,000 users and 6 s without any; when quick, for 500 users
 * and 3 s. {@link GatewayCost} says how it and the others are measured.
 */
public final class Growth implements Scenario {

	private static final String VARIANT = "ours";

	/** For the largest catalog on a slow machine, where the budget would cut it. */
	private static final Map<String, String> PATIENT = Map.of("WARMUP_STARTUP_BUDGET", "200s", "STACK_WAIT", "400");

	private final Site site;

	private final List<Integer> catalogs;

	private final List<Integer> instances;

	private final int users;

	private final Duration idle;

	/**
	 * Creates the scenario.
	 * @param site where to measure
	 */
	public Growth(Site site) {
		this.site = site;
		this.catalogs = site.quick() ? List.of(10) : List.of(10, 100, 1000);
		this.instances = site.quick() ? List.of(1, 10) : List.of(1, 10, 100, 500);
		this.users = site.quick() ? 500 : 1000;
		this.idle = Duration.ofSeconds(site.quick() ? 3 : 5);
	}

	@Override
	public String id() {
		return "growth";
	}

	@Override
	public int rounds() {
		return 1;
	}

	@Override
	public List<Step> steps() {
		return Stream
			.concat(this.catalogs.stream()
				.map((size) -> new Step(VARIANT, Duration.ofSeconds(18 + size / 60), (to) -> catalog(size, to))),
					Stream.of(new Step(VARIANT, Duration.ofSeconds(this.site.quick() ? 30 : 100), this::instances)))
			.toList();
	}

	private void catalog(int size, Recorder recorder) throws IOException {
		Path catalog = Files.writeString(
				Files.createDirectories(this.site.work()).resolve("catalog-%d.yml".formatted(size)),
				WideCatalog.of(size));
		try (Stack stack = started("growth-catalog", Map.of("WARMUP_CATALOG", catalog.toAbsolutePath().toString()))) {
			Answer status = Answer.to("GET", stack.direct("chat-service-1", "/actuator/warmup"));
			String verdict = status.read("$.runs[-1].verdict");
			if (!verdict.equals("WARM")) {
				throw new IllegalStateException("the run of %d requests ended %s".formatted(size, status.body()));
			}
			String part = "catalog of " + size;
			recorder.record(part, "run", Unit.SECONDS, Duration.parse(status.read("$.runs[-1].took")).toNanos() / 1e9);
			recorder.record(part, "requests", Unit.COUNT, status.<Number>read("$.runs[-1].sent").doubleValue());
		}
	}

	private void instances(Recorder recorder) throws InterruptedException {
		try (Stack stack = started("growth-instances", Map.of(SimulatedFleet.GATEWAY_SETTING, "always"));
				SimulatedFleet fleet = SimulatedFleet.beside(stack)) {
			// before it grows: the script's time for it is quadratic in the fleet
			GatewayCost cost = new GatewayCost(stack, gateway(stack), this.site.javaHome(), this.users, this.idle);
			cost.settle();
			for (int size : this.instances) {
				fleet.grow(size - 1);
				cost.measure(size, recorder);
			}
		}
	}

	private static Jvm gateway(Stack stack) {
		return Optional.ofNullable(stack.status().get("gateway"))
			.map((row) -> new Jvm(row.pid()))
			.orElseThrow(() -> new IllegalStateException("there is no gateway"));
	}

	private Stack started(String name, Map<String, String> settings) {
		Variant variant = this.site.variant(VARIANT);
		Map<String, String> all = new HashMap<>(variant.settings());
		// so that the size of the catalog alone tells how much is sent
		all.putAll(FixedRun.SETTINGS);
		all.putAll(PATIENT);
		all.putAll(settings);
		Stack stack = this.site.stack(name, all);
		try {
			Launch.up(stack);
			variant.warmUp(stack);
			return stack;
		}
		catch (RuntimeException ex) {
			stack.close();
			throw ex;
		}
	}

}
