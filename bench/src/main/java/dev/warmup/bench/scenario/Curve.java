package dev.warmup.bench.scenario;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.warmup.bench.load.Browser;
import dev.warmup.bench.load.Crowd;
import dev.warmup.bench.load.Experience;
import dev.warmup.bench.load.Journey;
import dev.warmup.bench.result.Recorder;
import dev.warmup.bench.schedule.Scenario;
import dev.warmup.bench.schedule.Step;
import dev.warmup.bench.variant.Variant;
import dev.warmup.bench.variant.Variants;

/**
 * What the first hundred users meet after a fixed count of passes, from one to thousands,
 * and after the library's own: what each costs, and how far each is from the steady state
 * that the longest of them reaches after five minutes under load.
 */
public final class Curve implements Scenario {

	/**
	 * How many of the longest go on to the steady state: each takes five minutes more.
	 */
	private static final int STEADY = 2;

	private static final Duration USERS = Duration.ofSeconds(5);

	/** Two thousand requests and more, so that p99 is not that of a few. */
	private static final int WALKS = 100;

	private final Site site;

	private final List<Variant> variants;

	private final String longest;

	private final Duration load;

	private int steadyLeft;

	/**
	 * Creates the scenario.
	 * @param site where it measures; it has variants of its own
	 */
	public Curve(Site site) {
		this(site, Variants.counts(site.root(), site.quick()));
	}

	/**
	 * Creates the scenario.
	 * @param site where it measures
	 * @param variants what it compares; the steady state is that of the last but one
	 */
	Curve(Site site, List<Variant> variants) {
		this.site = site;
		this.variants = List.copyOf(variants);
		this.longest = variants.get(variants.size() - 2).id();
		this.load = site.quick() ? Duration.ofSeconds(20) : Duration.ofMinutes(5);
		this.steadyLeft = Math.min(STEADY, rounds());
	}

	@Override
	public String id() {
		return "curve";
	}

	@Override
	public int rounds() {
		return this.site.quick() ? 1 : 5;
	}

	@Override
	public Map<String, String> titles() {
		Map<String, String> titles = new LinkedHashMap<>();
		this.variants.forEach((variant) -> titles.put(variant.id(), variant.title()));
		return titles;
	}

	@Override
	public List<Step> steps() {
		return this.variants.stream()
			.map((variant) -> new Step(variant.id(), expected(variant), (recorder) -> measure(variant, recorder)))
			.toList();
	}

	/** The time to the steady state is shared out among the rounds. */
	private Duration expected(Variant variant) {
		Duration start = Expected.start(variant, this.site.quick()).plus(USERS);
		return variant.id().equals(this.longest)
				? start.plus(this.load.multipliedBy(this.steadyLeft).dividedBy(rounds())) : start;
	}

	private void measure(Variant variant, Recorder recorder) {
		Journey journey = Users.journey(this.site);
		try (Ready ready = Ready.fresh(this.site, id(), variant)) {
			long since = System.nanoTime();
			Experience users = Users.first(Browser.practised(journey), journey, ready.users());
			Users.record(users, journey, Users::firstAnswer, "everything", recorder);
			ready.cost().record(recorder);
			if (variant.id().equals(this.longest) && this.steadyLeft > 0) {
				steady(ready, journey, this.load.minusNanos(System.nanoTime() - since), recorder);
				this.steadyLeft--;
			}
		}
	}

	/**
	 * The load is that of the passes, one request at a time, so that only time is added.
	 */
	private void steady(Ready ready, Journey journey, Duration rest, Recorder recorder) {
		Browser browser = new Browser();
		Users.recordErrors(Crowd.at(browser, journey, ready.users(), 1, rest), "on the way to steady", recorder);
		Experience steady = Users.many(browser, journey, ready.users(), WALKS);
		recorder.latency("steady state", "p50", steady.percentile(50));
		recorder.latency("steady state", "p99", steady.percentile(99));
		Users.recordErrors(steady, "steady state", recorder);
		if (this.site.quick()) {
			recorder.note("The steady state is that after %d s, not five minutes.".formatted(this.load.toSeconds()));
		}
	}

}
