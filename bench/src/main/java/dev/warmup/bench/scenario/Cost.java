package dev.warmup.bench.scenario;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.warmup.bench.load.Experience;
import dev.warmup.bench.process.Jvm;
import dev.warmup.bench.process.Usage;
import dev.warmup.bench.result.Recorder;
import dev.warmup.bench.result.Unit;
import dev.warmup.bench.schedule.Scenario;
import dev.warmup.bench.schedule.Step;
import dev.warmup.bench.stack.Stack;
import dev.warmup.bench.variant.Variant;

/**
 * What the library costs when nothing warms: two stacks at once, one with it and one
 * without, loaded by turns. Both run all the time, so that what the machine does besides
 * weighs on both; and users warm both alike, as the library's own run is next to nothing:
 * a side that was warmed for longer would look cheaper.
 */
public final class Cost implements Scenario {

	private static final String PART = "steady state";

	private static final Duration TURN = Duration.ofSeconds(3);

	private final Site site;

	private final int turns;

	private final int pairs;

	/**
	 * Creates the scenario.
	 * @param site where to measure
	 */
	public Cost(Site site) {
		this.site = site;
		this.turns = site.quick() ? 1 : 9;
		this.pairs = site.quick() ? 2 : 10;
	}

	@Override
	public String id() {
		return "cost";
	}

	@Override
	public int rounds() {
		return 1;
	}

	@Override
	public List<Step> steps() {
		Duration expected = Duration.ofSeconds(60).plus(TURN.multipliedBy(2L * (this.turns + this.pairs)));
		return List.of(new Step("ours", expected, this::measure));
	}

	private void measure(Recorder recorder) {
		Variant ours = this.site.variant("ours");
		Map<String, String> settings = new HashMap<>(ours.settings());
		settings.putAll(FixedRun.SETTINGS);
		settings.put("WARMUP_IDLE_AFTER", "0");
		try (Stack on = this.site.stack("cost-on", settings);
				Stack off = this.site.stack("cost-off", this.site.variant("nothing").settings())) {
			Launch.up(on);
			ours.warmUp(on);
			Launch.up(off);
			Visitors visitors = new Visitors(this.site);
			List<Jvm> jvmsOn = jvms(on);
			List<Jvm> jvmsOff = jvms(off);
			Supplier<Pair.Window> with = () -> window(visitors, on, jvmsOn, recorder);
			Supplier<Pair.Window> without = () -> window(visitors, off, jvmsOff, recorder);
			Pair.measure(this.turns, with, without);
			for (Pair pair : Pair.measure(this.pairs, with, without)) {
				recorder.record(PART, "throughput ratio", Unit.RATIO, pair.throughput());
				recorder.record(PART, "p50 ratio", Unit.RATIO, pair.latency());
				pair.cpu()
					.ifPresentOrElse((ratio) -> recorder.record(PART, "CPU ratio", Unit.RATIO, ratio),
							() -> recorder.note("The processor time of a request is not known."));
			}
		}
	}

	private static List<Jvm> jvms(Stack stack) {
		Map<String, Stack.Row> rows = stack.status();
		return Stream.of("chat-service-1", "gateway")
			.map((name) -> Optional.ofNullable(rows.get(name))
				.orElseThrow(() -> new IllegalStateException("there is no " + name)))
			.map((row) -> new Jvm(row.pid()))
			.toList();
	}

	private static Pair.Window window(Visitors visitors, Stack stack, List<Jvm> jvms, Recorder recorder) {
		Optional<Duration> before = cpu(jvms);
		Experience seen = visitors.crowd(stack, TURN);
		return window(seen, cpu(jvms).flatMap((after) -> before.map(after::minus)), recorder);
	}

	private static Optional<Duration> cpu(List<Jvm> jvms) {
		return jvms.stream().map(Jvm::usage).reduce(Usage.NONE, Usage::plus).cpu();
	}

	/**
	 * Sums up what users saw.
	 * @param seen their requests
	 * @param cpu the processor time that these took, if that is known
	 * @param recorder is told what went wrong: an error is quick, and no throughput
	 * @return the figures of those that were answered as expected
	 */
	static Pair.Window window(Experience seen, Optional<Duration> cpu, Recorder recorder) {
		seen.visits()
			.stream()
			.flatMap((visit) -> visit.problem().stream())
			.findFirst()
			.ifPresent((problem) -> recorder.note("Not every request was answered as expected: " + problem + "."));
		Experience answered = new Experience(seen.begin(),
				seen.visits().stream().filter((visit) -> visit.problem().isEmpty()).toList());
		double number = answered.endedWithin(TURN).visits().size();
		int all = seen.visits().size();
		return new Pair.Window(number / TURN.toSeconds(), answered.percentile(50),
				cpu.filter((time) -> all > 0).map((time) -> time.dividedBy(all)));
	}

}
