package dev.warmup.record;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.warmup.catalog.RequestTemplate;
import dev.warmup.catalog.Scenario;
import dev.warmup.catalog.Trigger;
import dev.warmup.plan.Plan;
import dev.warmup.replay.Outcome;

/** Writes down one run as it goes on. Not thread-safe: one call at a time. */
public final class RunRecorder {

	private static final int PROBLEMS_TOLD = 3;

	/** What would break a line of the log, and make a gateway refuse the report. */
	private static final Pattern LINE_BREAKS = Pattern.compile("[\\p{Cc}\\u2028\\u2029]+");

	private final String id;

	private final Trigger trigger;

	private final String gateway;

	private final Clock clock;

	private final Instant startedAt;

	private final JvmFigures jvmBefore = JvmFigures.now();

	private final long planned;

	private final Map<Key, RequestRecorder> requests = new LinkedHashMap<>();

	private final Set<Integer> failingStatuses = new TreeSet<>();

	private final Set<Integer> unprovedStatuses = new TreeSet<>();

	private String cutBy = "the budget was spent";

	private long seen;

	private Optional<Instant> reachedAt = Optional.empty();

	private Optional<Duration> first = Optional.empty();

	/**
	 * Starts to record.
	 * @param id names the run
	 * @param trigger what the run is for
	 * @param gateway the gateway it goes through, by its name in discovery
	 * @param plan what it sends
	 * @param clock the source of time
	 */
	public RunRecorder(String id, Trigger trigger, String gateway, Plan plan, Clock clock) {
		this.id = id;
		this.trigger = trigger;
		this.gateway = gateway;
		this.clock = clock;
		this.startedAt = clock.instant();
		this.planned = plan.requests();
		plan.shares()
			.stream()
			.map(Plan.Share::scenario)
			.forEach((scenario) -> Stream.concat(scenario.requests().stream(), scenario.cleanup().stream())
				.forEach((request) -> this.requests.put(Key.of(scenario, request),
						new RequestRecorder(scenario.name(), request))));
	}

	/**
	 * Notes what became of a request.
	 * @param outcome one of a request of the plan
	 * @throws IllegalArgumentException if the plan does not have the request
	 */
	public void add(Outcome outcome) {
		RequestRecorder recorder = this.requests.get(Key.of(outcome.scenario(), outcome.request()));
		if (recorder == null) {
			throw new IllegalArgumentException("Not a request of this run: " + outcome.request().name());
		}
		if (this.reachedAt.isEmpty()) {
			Instant sentAt = this.clock.instant().minus(outcome.latency());
			this.reachedAt = Optional.of(sentAt.isBefore(this.startedAt) ? this.startedAt : sentAt);
		}
		if (!(outcome instanceof Outcome.Cut) && outcome.scenario().requests().contains(outcome.request())) {
			this.seen++;
		}
		if (outcome instanceof Outcome.Answered answered) {
			this.first = this.first.or(() -> Optional.of(answered.latency()));
		}
		else if (outcome instanceof Outcome.Unexpected unexpected) {
			this.failingStatuses.add(unexpected.status());
			if (!unexpected.byService()) {
				this.unprovedStatuses.add(unexpected.status());
			}
		}
		recorder.add(outcome);
	}

	/**
	 * Closes the record of a run that was skipped.
	 * @param reason why nothing was to be sent
	 * @return the record, with verdict {@link Verdict#SKIPPED}
	 */
	public RunRecord skipped(String reason) {
		return close(Verdict.SKIPPED, Optional.of(reason));
	}

	/**
	 * Closes the record of a run that did not find its way.
	 * @param reason what stood in the way
	 * @return the record, with verdict {@link Verdict#FAILED}
	 */
	public RunRecord unreached(String reason) {
		return close(Verdict.FAILED, Optional.of(reason));
	}

	/** Notes that somebody stopped the run before its time. */
	public void stopped() {
		this.cutBy = "the run was stopped";
	}

	/**
	 * Closes the record.
	 * @return the record, with the verdict that follows from the outcomes
	 */
	public RunRecord finished() {
		if (answered() == 0) {
			return close(Verdict.FAILED, Optional.of(problems().orElse("nothing was sent")));
		}
		if (this.seen < this.planned) {
			String cut = "%s after %d of %d requests".formatted(this.cutBy, this.seen, this.planned);
			return close(Verdict.TIMED_OUT,
					Optional.of(problems().map((problems) -> cut + "; " + problems).orElse(cut)));
		}
		return problems().map((problems) -> close(Verdict.DEGRADED, Optional.of(problems)))
			.orElseGet(() -> close(Verdict.WARM, Optional.empty()));
	}

	private Optional<String> problems() {
		String problems = this.requests.values()
			.stream()
			.flatMap((request) -> request.problem().stream())
			.limit(PROBLEMS_TOLD)
			.collect(Collectors.joining(", "));
		if (problems.isEmpty()) {
			return Optional.empty();
		}
		return Optional.of(Advice.on(this.failingStatuses, this.unprovedStatuses)
			.map((advice) -> problems + ": " + advice)
			.orElse(problems));
	}

	private RunRecord close(Verdict verdict, Optional<String> reason) {
		Instant end = this.clock.instant();
		Instant reached = this.reachedAt.orElse(end);
		Latencies steady = new Latencies();
		this.requests.values().forEach((request) -> steady.add(request.steady()));
		Optional<Duration> steadyP50 = steady.percentile(50);
		JvmFigures jvm = JvmFigures.now().since(this.jvmBefore);
		return new RunRecord(this.id, this.trigger, verdict, this.gateway, this.startedAt,
				Duration.between(reached, end), Duration.between(this.startedAt, reached), sent(), sent() - answered(),
				this.first, steadyP50, steady.percentile(95), ratio(steadyP50), jvm.jit(), jvm.classesLoaded(),
				reason.map(RunRecorder::onOneLine),
				this.requests.values().stream().map(RequestRecorder::toRecord).toList());
	}

	private static String onOneLine(String text) {
		return LINE_BREAKS.matcher(text).replaceAll(" ");
	}

	private Optional<Double> ratio(Optional<Duration> steadyP50) {
		return this.first.flatMap((slow) -> steadyP50.map((steady) -> (double) slow.toNanos() / steady.toNanos()));
	}

	private long sent() {
		return this.requests.values().stream().mapToLong(RequestRecorder::sent).sum();
	}

	private long answered() {
		return this.requests.values().stream().mapToLong(RequestRecorder::answered).sum();
	}

	/** Request names are unique within a scenario only. */
	private record Key(String scenario, String request) {

		static Key of(Scenario scenario, RequestTemplate request) {
			return new Key(scenario.name(), request.name());
		}

	}

}
