package dev.warmup.bench.scenario;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import dev.warmup.bench.load.Browser;
import dev.warmup.bench.load.Journey;
import dev.warmup.bench.result.Recorder;
import dev.warmup.bench.schedule.Scenario;
import dev.warmup.bench.schedule.Step;
import dev.warmup.bench.variant.Variant;

/**
 * What the first user of each kind of request waits, and the first hundred: after a start
 * of everything, after a restart of the service only, and of the gateway only.
 */
public final class First implements Scenario {

	/** What decides goals comes first: there may be no time for all. */
	private static final List<String> AGAIN = List.of("ours", "fixed-200", "ours-replay", "nothing");

	/** Restarts take as long as all else, so they are measured once. */
	private static final Set<String> RESTARTED = Set.of("nothing", "ours");

	private static final String STEADY = "steady";

	/**
	 * What is steady is slower, too, when its first user comes after a second of quiet.
	 */
	private static final String AFTER_A_PAUSE = "after a pause";

	/** One request of a kind after one pause is chance, and a pause is short. */
	private static final int PAUSES = 5;

	private static final Duration USERS = Duration.ofSeconds(4);

	/** At least 20 of each kind, for a median. */
	private static final int WALKS = 25;

	private final Site site;

	/**
	 * Creates the scenario.
	 * @param site where it measures
	 */
	public First(Site site) {
		this.site = site;
	}

	@Override
	public String id() {
		return "first";
	}

	@Override
	public int rounds() {
		return 1;
	}

	@Override
	public List<Step> steps() {
		return this.site.variants().stream().map((variant) -> step(variant, restarts(variant))).toList();
	}

	@Override
	public List<Step> stepsInTime() {
		return this.site.quick() ? List.of()
				: AGAIN.stream()
					.flatMap((id) -> this.site.variants().stream().filter((variant) -> variant.id().equals(id)))
					.map((variant) -> step(variant, false))
					.toList();
	}

	private Step step(Variant variant, boolean restarts) {
		Duration start = Expected.start(variant, this.site.quick())
			.plus(USERS.multipliedBy(variant.id().equals(STEADY) ? 2 : 1));
		Duration restart = Expected.restart(variant, this.site.quick()).plus(USERS);
		return new Step(variant.id(), restarts ? start.plus(restart.multipliedBy(2)) : start,
				(recorder) -> measure(variant, restarts, recorder));
	}

	private boolean restarts(Variant variant) {
		return !this.site.quick() && RESTARTED.contains(variant.id());
	}

	private void measure(Variant variant, boolean restarts, Recorder recorder) {
		Journey journey = Users.journey(this.site);
		try (Ready ready = Ready.fresh(this.site, id(), variant)) {
			if (variant.id().equals(STEADY)) {
				int pauses = this.site.quick() ? 1 : PAUSES;
				for (int pause = 0; pause < pauses; pause++) {
					first(ready, journey, AFTER_A_PAUSE, recorder);
				}
				Users.record(Users.many(new Browser(), journey, ready.users(), WALKS), journey, Users::median,
						"everything", recorder);
			}
			else {
				first(ready, journey, "everything", recorder);
			}
			ready.cost().record(recorder);
			if (restarts) {
				restarted("chat-service", ready, journey, "service", recorder);
				restarted("gateway", ready, journey, "gateway", recorder);
			}
		}
	}

	private static void restarted(String service, Ready ready, Journey journey, String part, Recorder recorder) {
		if (!ready.restart(service)) {
			recorder.note("./stack restarted %s, but did not call it warm.".formatted(service));
		}
		first(ready, journey, part, recorder);
	}

	private static void first(Ready ready, Journey journey, String part, Recorder recorder) {
		Browser browser = Browser.practised(journey);
		Users.record(Users.first(browser, journey, ready.users()), journey, Users::firstAnswer, part, recorder);
	}

}
