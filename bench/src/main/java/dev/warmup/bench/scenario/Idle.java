package dev.warmup.bench.scenario;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.warmup.bench.load.Experience;
import dev.warmup.bench.memory.Paging;
import dev.warmup.bench.result.Recorder;
import dev.warmup.bench.schedule.Scenario;
import dev.warmup.bench.schedule.Step;
import dev.warmup.bench.stack.Answer;
import dev.warmup.bench.stack.Stack;
import dev.warmup.bench.variant.Variant;

/**
 * The first user after an idle time. A steady stack is left alone, its memory is paged
 * out at once, as by a system in need of it, and its connections time out, those of users
 * as well as those to the service. Then it is warmed again by its idle timer, or not.
 * Users come right after that: what is paged out again later is not measured. What is
 * warmed again is left alone three times: the worst of 22 kinds, each asked for once, is
 * mostly chance.
 */
public final class Idle implements Scenario {

	private static final String STEADY = "steady";

	private static final String REWARMED = "ours";

	/** Longer than it takes to page out, and than {@link #CONNECTIONS}. */
	private static final Duration IDLE = Duration.ofSeconds(12);

	private static final Duration CONNECTIONS = Duration.ofSeconds(5);

	private static final List<String> IDLING = List.of("gateway", "chat-service-1");

	/** So that each kind of request has a median. */
	private static final int WALKS = 20;

	private final Site site;

	private final Duration load;

	private final int rewarmedTimes;

	private Optional<Experience> steady = Optional.empty();

	/**
	 * Creates the scenario.
	 * @param site where to measure
	 */
	public Idle(Site site) {
		this.site = site;
		this.load = Duration.ofSeconds(site.quick() ? 5 : 15);
		this.rewarmedTimes = site.quick() ? 1 : 3;
	}

	@Override
	public String id() {
		return "idle";
	}

	@Override
	public int rounds() {
		return 1;
	}

	/**
	 * {@inheritDoc}
	 * <p>
	 * What is steady is measured in the processes of {@code not-rewarmed}, before they
	 * are left alone; {@code steady} records that, and starts processes of its own only
	 * where there is nothing to record.
	 */
	@Override
	public List<Step> steps() {
		Duration start = this.load.plusSeconds(42);
		Duration rewarmed = IDLE.plusSeconds(10).multipliedBy(this.rewarmedTimes);
		return List.of(new Step("not-rewarmed", start.plus(IDLE), (recorder) -> measure(false, recorder)),
				new Step(REWARMED, start.plus(rewarmed), (recorder) -> measure(true, recorder)),
				new Step(STEADY, Duration.ZERO, this::steady));
	}

	private void measure(boolean rewarmed, Recorder recorder) {
		Variant ours = this.site.variant("ours");
		try (Paging paging = Paging.prepare(this.site.root().resolve("bench/page-out.py"), this.site.work());
				Stack stack = this.site.stack(rewarmed ? "idle-rewarmed" : "idle-left",
						settings(ours.settings(), rewarmed))) {
			Visitors visitors = new Visitors(this.site);
			start(stack, ours, visitors);
			List<Long> processes = idling(stack);
			if (!rewarmed) {
				this.steady = Optional.of(visitors.alone(stack, WALKS * visitors.requests().size()));
			}
			for (int time = 0; time < (rewarmed ? this.rewarmedTimes : 1); time++) {
				Instant pagedOut = leave(stack, processes, rewarmed, paging, recorder);
				Experience seen = visitors.alone(stack, IdleFigures.FIRST);
				if (rewarmed) { // only now, as the question would warm the service too
					Rewarm.judge(Answer.to("GET", stack.direct("chat-service-1", "/actuator/warmup")), pagedOut)
						.ifPresent(recorder::note);
				}
				IdleFigures.first(visitors.requests(), seen, recorder);
			}
		}
	}

	private static Instant leave(Stack stack, List<Long> processes, boolean rewarmed, Paging paging,
			Recorder recorder) {
		Instant left = Instant.now();
		long runs = Rewarm.count(stack.log("gateway"));
		paging.pageOut(processes).ifPresent(recorder::note);
		Instant pagedOut = Instant.now();
		if (rewarmed) {
			Rewarm.await(stack, runs);
		}
		else {
			Rewarm.sleep(Duration.between(Instant.now(), left.plus(IDLE)));
		}
		return pagedOut;
	}

	private void steady(Recorder recorder) {
		Visitors visitors = new Visitors(this.site);
		Experience seen = this.steady.orElseGet(() -> measureSteady(visitors));
		this.steady = Optional.empty();
		IdleFigures.steady(visitors.requests(), seen, recorder);
	}

	private Experience measureSteady(Visitors visitors) {
		Variant ours = this.site.variant("ours");
		try (Stack stack = this.site.stack("idle-steady", settings(ours.settings(), false))) {
			start(stack, ours, visitors);
			return visitors.alone(stack, WALKS * visitors.requests().size());
		}
	}

	private void start(Stack stack, Variant variant, Visitors visitors) {
		Launch.up(stack);
		variant.warmUp(stack);
		visitors.crowd(stack, this.load);
	}

	private static List<Long> idling(Stack stack) {
		return stack.status()
			.entrySet()
			.stream()
			.filter((process) -> IDLING.contains(process.getKey()))
			.map((process) -> process.getValue().pid())
			.toList();
	}

	/**
	 * What a stack that will idle is started with.
	 * @param variant the settings of the variant
	 * @param rewarmed whether it shall warm itself again
	 * @return these settings, with times that are short enough to wait for
	 */
	static Map<String, String> settings(Map<String, String> variant, boolean rewarmed) {
		Map<String, String> settings = new HashMap<>(variant);
		settings.put("WARMUP_IDLE_AFTER", rewarmed ? IDLE.toSeconds() + "s" : "0");
		settings.put("WARMUP_IDLE_CHECK_EVERY", "1s");
		settings.put("WARMUP_IDLE_JITTER", "0");
		settings.put("SPRING_CLOUD_GATEWAY_SERVER_WEBFLUX_HTTPCLIENT_POOL_MAX_IDLE_TIME",
				CONNECTIONS.toSeconds() + "s");
		settings.merge("GATEWAY_OPTS", "-Dserver.netty.idle-timeout=" + CONNECTIONS.toSeconds() + "s",
				(given, more) -> given + " " + more);
		return settings;
	}

}
