package dev.warmup.run;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;

import dev.warmup.catalog.RequestTemplate;
import dev.warmup.catalog.Scenario;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.StatusLine;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * What a run has done so far, and which scenario is next: its share of the repetitions is
 * by weight, once each of its requests was answered as often as required. Thread-safe.
 */
final class Progress {

	private final String id;

	private final Trigger trigger;

	private final RunParts.Settings settings;

	private final Clock clock;

	private final Instant startedAt;

	private final JvmFigures jvmBefore = JvmFigures.now();

	private final List<Share> shares = new ArrayList<>();

	private final List<RequestFigures> requests = new ArrayList<>();

	private final Set<String> gateways = new LinkedHashSet<>();

	/** Of all answers other than expected. */
	private final Set<Integer> statuses = new TreeSet<>();

	private Duration waited = Duration.ZERO;

	private @Nullable Instant reachedAt;

	private @Nullable Duration first;

	private final LatencyCurve curve = new LatencyCurve();

	/** When the gate opened, from the first answer. */
	private @Nullable Duration opened;

	/** Why there is no answer yet. */
	private String obstacle = "nothing was sent";

	Progress(String id, Trigger trigger, List<Scenario> scenarios, RunParts.Settings settings, Clock clock) {
		this.id = id;
		this.trigger = trigger;
		this.settings = settings;
		this.clock = clock;
		this.startedAt = clock.instant();
		for (Scenario scenario : scenarios) {
			Share share = new Share(this.shares.size(), scenario, figures(scenario, scenario.requests(), false),
					figures(scenario, scenario.cleanup(), true));
			this.shares.add(share);
			this.requests.addAll(share.requests);
			this.requests.addAll(share.cleanup);
		}
	}

	private List<RequestFigures> figures(Scenario scenario, List<RequestTemplate> templates, boolean cleanup) {
		return templates.stream()
			.map((template) -> new RequestFigures(scenario.name(), template, cleanup,
					new Steadiness(this.settings.tolerance(), this.settings.window())))
			.toList();
	}

	/** Whether there is nothing to send. */
	boolean isEmpty() {
		return this.shares.isEmpty();
	}

	/**
	 * Chooses the scenario to be replayed next, and counts its repetition; empty while
	 * every request keeps failing.
	 */
	synchronized Optional<Share> next() {
		Optional<Share> next = this.shares.stream()
			.filter((share) -> share.requests.stream().anyMatch(this::isDue))
			.min(Comparator.comparing((Share share) -> share.requests.stream().noneMatch(this::isLacking))
				.thenComparing((share) -> (double) share.repetitions / share.scenario.weight())
				.thenComparing((share) -> share.repetitions));
		next.ifPresent((share) -> share.repetitions++);
		return next;
	}

	/** Whether a request does not keep failing, or is to be tried again by now. */
	synchronized boolean isDue(RequestFigures request) {
		return !request.due.isAfter(this.clock.instant());
	}

	/** Whether it does not keep failing, and was not answered often enough. */
	private boolean isLacking(RequestFigures request) {
		return !request.isFailing() && !isComplete(request);
	}

	/** Records the result of a request that was sent through a gateway. */
	synchronized void add(RequestFigures request, Outcome outcome, String gatewayId) {
		Instant sentAt = this.clock.instant().minus(outcome.latency());
		if (this.reachedAt == null) {
			this.reachedAt = sentAt.isBefore(this.startedAt) ? this.startedAt : sentAt;
		}
		this.gateways.add(gatewayId);
		if (outcome instanceof Outcome.Expected answer && answer.own()) {
			this.first = (this.first != null) ? this.first : answer.latency();
			this.curve.add(Duration.between(this.reachedAt, sentAt), answer.latency());
		}
		else if (outcome instanceof Outcome.Unexpected answer) {
			this.statuses.add(answer.status());
		}
		request.add(outcome, this.clock.instant());
	}

	/** A gateway asked the run to wait, which does not count against its budget. */
	synchronized void waited(Duration wait) {
		if (this.reachedAt != null) {
			this.waited = this.waited.plus(wait);
		}
	}

	/** The gate opens now, by this run. */
	synchronized void gateOpens() {
		this.opened = took();
	}

	/** Sets why no answer came yet, or why nothing is sent. */
	synchronized void obstacle(String reason) {
		this.obstacle = Reasons.onOneLine(reason);
	}

	/** The figures that decide how the run goes on. */
	synchronized RunEnd.Snapshot snapshot(RunEnd.Kind kind, boolean over, boolean gateOpen, boolean awaited) {
		boolean reached = this.reachedAt != null;
		boolean complete = isComplete();
		long expected = sum((request) -> request.expected);
		return new RunEnd.Snapshot(kind, over, reached,
				reached ? took().minus(this.waited) : Duration.between(this.startedAt, this.clock.instant()),
				this.settings.budget(), expected > 0, complete,
				this.requests.stream().anyMatch(RequestFigures::isFailing),
				expected > sum((request) -> request.elsewhere), complete && isSteady(), gateOpen, awaited);
	}

	private boolean isComplete() {
		return !isEmpty() && this.requests.stream().allMatch(this::isComplete);
	}

	/** Requests that clean up are not required. */
	private boolean isComplete(RequestFigures request) {
		return request.cleanup || request.expected >= this.settings.minRepetitions();
	}

	private boolean isSteady() {
		return !isEmpty()
				&& this.requests.stream().allMatch((request) -> request.cleanup || request.steadiness.isSteady());
	}

	private Duration took() {
		return (this.reachedAt == null) ? Duration.ZERO : Duration.between(this.reachedAt, this.clock.instant());
	}

	private long sum(ToLongFunction<RequestFigures> figure) {
		return this.requests.stream().mapToLong(figure).sum();
	}

	/** The record so far, or, with a verdict, of the whole run. */
	synchronized RunRecord record(Optional<Verdict> verdict) {
		Optional<Duration> p50 = percentile(50);
		Optional<Duration> slow = Optional.ofNullable(this.first);
		JvmFigures jvm = JvmFigures.now().since(this.jvmBefore);
		long sent = sum((request) -> request.sent);
		return new RunRecord(this.id, this.trigger, verdict, List.copyOf(this.gateways), this.startedAt, took(), sent,
				sent - sum((request) -> request.expected), slow, p50, percentile(95), isSteady(),
				slow.flatMap((latency) -> p50.map((median) -> StatusLine.ratio(latency, median))), jvm.jit(),
				jvm.classesLoaded(), jvm.cpu(), verdict.filter((each) -> each != Verdict.WARM).map((each) -> reason()),
				slow.map((answered) -> this.curve.record(Optional.ofNullable(this.opened))), Optional.empty(),
				this.requests.stream().map(RequestFigures::toRecord).toList());
	}

	private Optional<Duration> percentile(int percent) {
		LongStream own = this.requests.stream()
			.filter((request) -> request.elsewhere == 0)
			.flatMapToLong((request) -> request.steadiness.latencies());
		return Steadiness.percentile(own, percent);
	}

	/** Why the run does not end warm. */
	private String reason() {
		if (this.reachedAt == null) {
			return this.obstacle;
		}
		return Reasons.of(this.requests.stream()
			.filter((request) -> request.isFailing() || !isComplete(request))
			.sorted(Comparator.comparingDouble(RequestFigures::expectedShare)
				.thenComparingLong((request) -> request.expected))
			.map((request) -> request.problem(this.settings.minRepetitions()))
			.toList(), this.statuses);
	}

	/** A scenario, its requests, and how often it was repeated. */
	static final class Share {

		private final int number;

		private final Scenario scenario;

		private final List<RequestFigures> requests;

		private final List<RequestFigures> cleanup;

		private long repetitions;

		private Share(int number, Scenario scenario, List<RequestFigures> requests, List<RequestFigures> cleanup) {
			this.number = number;
			this.scenario = scenario;
			this.requests = requests;
			this.cleanup = cleanup;
		}

		List<RequestFigures> requests() {
			return this.requests;
		}

		List<RequestFigures> cleanup() {
			return this.cleanup;
		}

		/**
		 * A number that makes each scenario take its turns through all gateways, and not
		 * all of them begin at the same one.
		 */
		long turn() {
			return this.number + this.repetitions;
		}

	}

	/** Counts and times one request of the catalog over a run. */
	static final class RequestFigures {

		/** So many failures in a row, and it is tried again after pauses that double. */
		private static final int FAILURES_IN_A_ROW = 3;

		/** In seconds. */
		private static final long LONGEST_PAUSE = 10;

		private static final int LAST_TEN = (1 << 10) - 1;

		private static final int HALF = 5;

		private final String scenario;

		private final RequestTemplate template;

		private final boolean cleanup;

		private final Steadiness steadiness;

		private long sent;

		private long expected;

		/**
		 * Expected answers of other services, which do not show how warm this instance
		 * is.
		 */
		private long elsewhere;

		private @Nullable Duration first;

		private @Nullable String problem;

		/** A bit for each of the last ten results, set if it failed or was not sent. */
		private int failures;

		private Instant due = Instant.MIN;

		RequestFigures(String scenario, RequestTemplate template, boolean cleanup, Steadiness steadiness) {
			this.scenario = scenario;
			this.template = template;
			this.cleanup = cleanup;
			this.steadiness = steadiness;
		}

		private void add(Outcome outcome, Instant now) {
			boolean unsent = outcome instanceof Outcome.NotSent;
			boolean failed = unsent ? !this.cleanup : !(outcome instanceof Outcome.Expected);
			this.failures = ((this.failures << 1) | (failed ? 1 : 0)) & LAST_TEN;
			if (failuresInARow() >= FAILURES_IN_A_ROW) {
				this.due = now.plusSeconds(Math.min(LONGEST_PAUSE, 1L << (failuresInARow() - FAILURES_IN_A_ROW)));
			}
			this.sent += unsent ? 0 : 1;
			if (outcome instanceof Outcome.Expected answer) {
				this.expected++;
				this.elsewhere += answer.own() ? 0 : 1;
				this.first = (this.first != null) ? this.first : answer.latency();
				this.steadiness.add(now, answer.latency());
			}
			else if (this.problem == null && !outcome.problem().isEmpty()) {
				this.problem = describe() + " " + outcome.problem();
			}
		}

		private int failuresInARow() {
			return Integer.numberOfTrailingZeros(~this.failures);
		}

		RequestTemplate template() {
			return this.template;
		}

		String scenario() {
			return this.scenario;
		}

		/** Its method and path, as the catalog has them. */
		String describe() {
			return this.template.method() + " " + this.template.path().source();
		}

		/** Whether half of the last ten results were failures. */
		private boolean isFailing() {
			return Integer.bitCount(this.failures) >= HALF;
		}

		private double expectedShare() {
			return (this.sent == 0) ? 1 : (double) this.expected / this.sent;
		}

		/** When it is sent again: some time in the past unless it keeps failing. */
		Instant due() {
			return this.due;
		}

		/** Why it is failing, or was not answered as often as required. */
		private String problem(int repetitions) {
			if (this.problem != null && (isFailing() || failuresInARow() > 0)) {
				return this.problem;
			}
			return String.format(Locale.ROOT, "%s was answered %d of %d times within warmup.startup.budget", describe(),
					this.expected, repetitions);
		}

		private RunRecord.Request toRecord() {
			return new RunRecord.Request(this.scenario, this.template.name(), this.sent, this.sent - this.expected,
					Optional.ofNullable(this.first), Steadiness.percentile(this.steadiness.latencies(), 50),
					Steadiness.percentile(this.steadiness.latencies(), 95), this.steadiness.isSteady(),
					Optional.ofNullable(this.problem));
		}

	}

	/**
	 * What this JVM has done since its start: {@code jit} is summed over the threads of
	 * its compiler, {@code cpu} over all. A time that the JVM does not measure is zero.
	 */
	record JvmFigures(Duration jit, long classesLoaded, Duration cpu) {

		/** The figures as of now. */
		static JvmFigures now() {
			CompilationMXBean compilation = ManagementFactory.getCompilationMXBean();
			boolean measured = compilation != null && compilation.isCompilationTimeMonitoringSupported();
			return new JvmFigures(measured ? Duration.ofMillis(compilation.getTotalCompilationTime()) : Duration.ZERO,
					ManagementFactory.getClassLoadingMXBean().getTotalLoadedClassCount(),
					ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO));
		}

		/** What the JVM has done since it had earlier figures. */
		JvmFigures since(JvmFigures earlier) {
			return new JvmFigures(this.jit.minus(earlier.jit), this.classesLoaded - earlier.classesLoaded,
					this.cpu.minus(earlier.cpu));
		}

	}

}
