package dev.warmup.bench.scenario;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import dev.warmup.bench.load.SteadyClient;
import dev.warmup.bench.result.Recorder;
import dev.warmup.bench.result.Unit;
import dev.warmup.bench.schedule.Scenario;
import dev.warmup.bench.schedule.Step;
import dev.warmup.bench.stack.Answer;
import dev.warmup.bench.stack.Stack;
import dev.warmup.bench.variant.Variant;

/**
 * Users come at a steady rate while a second instance joins: with the warm-up, and with a
 * plain load balancer. The first instance is marked, so that each answer tells whose it
 * is.
 * <p>
 * The second instance counts as UP from the earlier of two moments on: when Eureka first
 * lists it so, and when its gate opened, warm or with its budget spent. The gateway leads
 * users to an instance as soon as its verified report says so, and Eureka learns of that
 * some milliseconds later.
 */
public final class Join implements Scenario {

	private static final String MARKED = "chat-service-1";

	private static final String JOINING = "chat-service-2";

	/** The phases that a run leaves an instance in. */
	private static final Set<String> DECIDED = Set.of("WARM", "DEGRADED", "FAILED");

	private final Site site;

	private final Duration warming;

	private final Duration window;

	/**
	 * Creates the scenario.
	 * @param site where to measure
	 */
	public Join(Site site) {
		this.site = site;
		this.warming = Duration.ofSeconds(site.quick() ? 3 : 10);
		this.window = Duration.ofSeconds(site.quick() ? 5 : 20);
	}

	@Override
	public String id() {
		return "join";
	}

	@Override
	public int rounds() {
		return 1;
	}

	@Override
	public List<Step> steps() {
		Duration watched = this.warming.plus(this.window).plus(this.window);
		return List.of(step("nothing", watched.plusSeconds(35)), step("ours", watched.plusSeconds(120)));
	}

	private Step step(String id, Duration expected) {
		return new Step(id, expected, (recorder) -> measure(this.site.variant(id), recorder));
	}

	private void measure(Variant variant, Recorder recorder) {
		try (Stack stack = this.site.stack("join-" + variant.id(), variant.settings())) {
			Launch.up(stack);
			variant.warmUp(stack);
			Marks.put(stack, MARKED);
			try (SteadyClient users = SteadyClient.start(stack.gateway("/chat-service/rooms"), Marks::find)) {
				users.during(this.warming);
				Instant calm = Instant.now();
				users.during(this.window);
				Instant joining = Instant.now();
				Instant up = join(stack, users);
				users.finish();
				List<SteadyClient.Sample> before = users.since(calm)
					.stream()
					.filter((user) -> user.meant().isBefore(joining))
					.toList();
				record(before, users.since(joining), up, recorder);
			}
		}
	}

	private Instant join(Stack stack, SteadyClient users) {
		URI application = URI.create("http://127.0.0.1:" + stack.eurekaPort() + "/eureka/apps/CHAT-SERVICE");
		try (RegistryWatch watch = RegistryWatch.of(application)) {
			Launch.run(stack, "scale", "2");
			users.during(this.window);
			Answer status = Answer.to("GET", stack.direct(JOINING, "/actuator/warmup"));
			return up(watch.joined(), opened(status));
		}
	}

	/**
	 * When the gate of an instance opened.
	 * @param status what its {@code /actuator/warmup} answered
	 * @return the moment when the run ended that opened it; empty when it is not open, or
	 * there is no gate
	 */
	static Optional<Instant> opened(Answer status) {
		boolean open = status.status() == 200 && status.<String>read("$.gate").equals("OPEN")
				&& DECIDED.contains(status.<String>read("$.phase"));
		return open ? Optional.of(Instant.parse(status.read("$.since"))) : Optional.empty();
	}

	/**
	 * From when on an instance may take users.
	 * @param listed when Eureka listed it as UP
	 * @param opened when its gate opened
	 * @return the earlier
	 * @throws IllegalStateException when neither happened
	 */
	static Instant up(Optional<Instant> listed, Optional<Instant> opened) {
		return Stream.of(listed, opened)
			.flatMap(Optional::stream)
			.min(Instant::compareTo)
			.orElseThrow(() -> new IllegalStateException(JOINING + " was never UP"));
	}

	/**
	 * Records what users saw.
	 * @param before the users before the join, at least one
	 * @param around the users from its beginning on, at least one
	 * @param up from when on the joining instance may take users
	 * @param recorder takes the figures
	 */
	static void record(List<SteadyClient.Sample> before, List<SteadyClient.Sample> around, Instant up,
			Recorder recorder) {
		recorder.latency("", "p99 before", SteadyClient.Sample.percentile(before, 99));
		recorder.latency("", "p99 around", SteadyClient.Sample.percentile(around, 99));
		recorder.latency("", "max around", SteadyClient.Sample.percentile(around, 100));
		recorder.record("", "errors", Unit.COUNT,
				(double) around.stream().filter(SteadyClient.Sample::isError).count());
		List<SteadyClient.Sample> joined = around.stream()
			.filter((user) -> !user.isError() && user.by().equals(Marks.NONE))
			.toList();
		if (joined.isEmpty()) {
			recorder.note("No user was answered by the instance that joined, as long as they were watched.");
		}
		recorder.record("", "users at an instance that is not UP", Unit.COUNT,
				(double) joined.stream().filter((user) -> user.answered().isBefore(up)).count());
	}

}
