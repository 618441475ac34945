package dev.warmup.bench.scenario;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import dev.warmup.bench.load.Browser;
import dev.warmup.bench.load.Crowd;
import dev.warmup.bench.load.Experience;
import dev.warmup.bench.load.Journey;
import dev.warmup.bench.result.Recorder;
import dev.warmup.bench.result.Unit;
import dev.warmup.bench.schedule.Scenario;
import dev.warmup.bench.schedule.Step;
import dev.warmup.bench.variant.Variant;

/**
 * What fifty users at once see who come at the moment the system calls itself ready. The
 * loop is closed, each with the next request once the one before is answered: the
 * throughput is what the system can do, and latency counts from the sending.
 */
public final class Burst implements Scenario {

	private static final int CONNECTIONS = 50;

	/** For want of time: each has a like that is measured. */
	private static final Set<String> LEFT_OUT = Set.of("one-pass", "mittens-tuned");

	/** When it shall be quick, what is steady is seen by {@link First} only. */
	private static final String STEADY = "steady";

	private final Site site;

	/**
	 * Creates the scenario.
	 * @param site where it measures
	 */
	public Burst(Site site) {
		this.site = site;
	}

	@Override
	public String id() {
		return "burst";
	}

	@Override
	public int rounds() {
		return 1;
	}

	@Override
	public List<Step> steps() {
		return this.site.variants()
			.stream()
			.filter((variant) -> !LEFT_OUT.contains(variant.id()))
			.filter((variant) -> !(this.site.quick() && variant.id().equals(STEADY)))
			.map((variant) -> new Step(variant.id(), Expected.start(variant, this.site.quick()).plus(duration()),
					(recorder) -> measure(variant, recorder)))
			.toList();
	}

	private Duration duration() {
		return Duration.ofSeconds(this.site.quick() ? 3 : 10);
	}

	private void measure(Variant variant, Recorder recorder) {
		Journey journey = Users.journey(this.site);
		try (Ready ready = Ready.fresh(this.site, id(), variant)) {
			Browser browser = Browser.practised(journey);
			PoolWatch pool = PoolWatch.start(ready.service(PoolWatch.PENDING));
			Experience users;
			try {
				users = Crowd.at(browser, journey, ready.users(), CONNECTIONS, duration());
			}
			finally {
				pool.stop();
			}
			ready.cost().noteIfCold(recorder);
			record(users, 1, recorder);
			record(users, 2, recorder);
			if (!this.site.quick()) {
				record(users, 10, recorder);
				pool.highest()
					.ifPresentOrElse(
							(pending) -> recorder.record("10 s", "waited for a connection", Unit.COUNT, pending),
							() -> recorder.note("How many waited for a connection is not known."));
			}
		}
	}

	/**
	 * Records what the users of the first seconds saw.
	 * @param users all of them
	 * @param seconds how many seconds
	 * @param recorder takes the figures
	 */
	static void record(Experience users, int seconds, Recorder recorder) {
		String part = seconds + " s";
		Experience begun = users.begunWithin(Duration.ofSeconds(seconds));
		Experience ended = users.endedWithin(Duration.ofSeconds(seconds));
		recorder.latency(part, "p50", begun.percentile(50));
		recorder.latency(part, "p99", begun.percentile(99));
		recorder.latency(part, "max", begun.percentile(100));
		recorder.record(part, "throughput", Unit.PER_SECOND,
				(double) (ended.visits().size() - ended.errors()) / seconds);
		Users.recordErrors(begun, part, recorder);
	}

}
