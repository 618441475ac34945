package dev.warmup.run;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.warmup.catalog.RequestTemplate;
import dev.warmup.catalog.Scenario;
import dev.warmup.protocol.JvmSnapshot;
import dev.warmup.protocol.Latencies;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.Verdict;
import org.jspecify.annotations.Nullable;

/** Records one run as it goes on. Thread-safe. */
public final class RunRecorder {

	private static final int MAX_FINDINGS = 20;

	/**
	 * So many times in a row without an answer, a request is given up: each repetition
	 * takes its timeout.
	 */
	private static final int GIVEN_UP = 3;

	/** Of its last ten answers, so many may be late. */
	private static final int MAX_LATE = 1;

	private final String id;

	private final Trigger trigger;

	private final String gateway;

	private final Clock clock;

	private final Instant startedAt;

	private final JvmSnapshot.Figures jvmBefore = JvmSnapshot.Figures.now();

	private final long planned;

	private final Map<Key, RequestRecorder> requests = new LinkedHashMap<>();

	private final Reasons reasons = new Reasons();

	private final Set<String> findings = new LinkedHashSet<>();

	private @Nullable String busy;

	private String endedBy = "the budget was spent";

	private boolean complete;

	private long seen;

	private @Nullable Instant reachedAt;

	private @Nullable Duration first;

	/**
	 * Starts to record.
	 * @param found what was found before the first request, such as tasks that failed;
	 * the record's first findings, which do not change the verdict
	 */
	RunRecorder(String id, Trigger trigger, String gateway, Plan plan, List<String> found,
			RunSettings.SteadyCriteria criteria, Clock clock) {
		this.id = id;
		this.trigger = trigger;
		this.gateway = gateway;
		this.clock = clock;
		this.startedAt = clock.instant();
		this.planned = plan.requests();
		plan.shares()
			.stream()
			.map(Plan.Share::scenario)
			.forEach((scenario) -> requestsOf(scenario)
				.forEach((request) -> this.requests.put(new Key(scenario.name(), request.name()),
						new RequestRecorder(scenario, request, new LatencyTrend(criteria)))));
		found.forEach(this::addFinding);
	}

	String id() {
		return this.id;
	}

	/**
	 * Records the result of a request.
	 * @throws IllegalArgumentException if the plan does not have the request
	 */
	synchronized void add(Outcome outcome) {
		RequestRecorder recorder = recorder(outcome.scenario(), outcome.request());
		if (this.reachedAt == null) {
			Instant sentAt = this.clock.instant().minus(outcome.latency());
			this.reachedAt = sentAt.isBefore(this.startedAt) ? this.startedAt : sentAt;
		}
		if (!(outcome instanceof Outcome.Canceled) && !recorder.cleanup) {
			this.seen++;
		}
		if (outcome.own() && this.first == null) {
			this.first = outcome.latency();
		}
		else if (outcome instanceof Outcome.Unexpected unexpected) {
			this.reasons.add(unexpected);
		}
		recorder.add(outcome);
	}

	/**
	 * Records what a person should know; once, however often it is found. Beyond 20,
	 * findings are left out.
	 * @param finding a sentence
	 */
	public synchronized void addFinding(String finding) {
		if (this.findings.size() < MAX_FINDINGS) {
			this.findings.add(Reasons.onOneLine(finding));
		}
	}

	/**
	 * Whether more repetitions of a scenario would not make it faster: each of its
	 * requests is steady, keeps failing, or is never sent, or one of them finds no
	 * answer.
	 */
	synchronized boolean isSettled(Scenario scenario) {
		return recorders(scenario).allMatch(RequestRecorder::isSettled) || isUnanswered(scenario, GIVEN_UP);
	}

	/** Whether one of its requests keeps failing. */
	synchronized boolean isFailing(Scenario scenario) {
		return recorders(scenario).anyMatch(RequestRecorder::isFailing);
	}

	/** Whether all requests of the run keep failing, or had no answer last. */
	synchronized boolean isFailing() {
		return this.requests.values()
			.stream()
			.allMatch((request) -> request.cleanup || request.isFailing() || request.unanswered > 0);
	}

	/**
	 * The scenario without the requests that keep failing, but with all that cleans up.
	 */
	synchronized Scenario working(Scenario scenario) {
		return new Scenario(scenario.name(), scenario.service(), scenario.when(), scenario.weight(),
				scenario.requests().stream().filter((request) -> !recorder(scenario, request).isFailing()).toList(),
				scenario.cleanup());
	}

	/** Whether one of its requests found no answer so many times in a row. */
	synchronized boolean isUnanswered(Scenario scenario, int times) {
		return recorders(scenario).anyMatch((request) -> request.unanswered >= times);
	}

	/** Records which JVM was still getting warm when the run ended, if one was. */
	synchronized void busy(Optional<String> which) {
		this.busy = which.orElse(null);
	}

	/** Records that the run ended by itself, and the reason if not all was steady. */
	synchronized void complete(String reason) {
		this.endedBy = reason;
		this.complete = true;
	}

	/** Records that the run was stopped before its time. */
	synchronized void stopped() {
		this.endedBy = "the run was stopped";
	}

	/** Whether it ended by itself. */
	synchronized boolean isComplete() {
		return this.complete;
	}

	/** Closes the record of a run that had nothing to send. */
	synchronized RunRecord skipped(String reason) {
		return close(Verdict.SKIPPED, Optional.of(reason));
	}

	/** Closes the record of a run that found no route. */
	synchronized RunRecord unreached(String reason) {
		return close(Verdict.FAILED, Optional.of(reason));
	}

	/**
	 * Whether as many requests as the plan has were sent, of whichever kind, or left out
	 * because an earlier one of their scenario had failed.
	 */
	synchronized boolean isMinimumSent() {
		return this.seen >= this.planned;
	}

	/** Whether every request was answered as expected as often as planned. */
	synchronized boolean isAsPlanned() {
		return isMinimumSent() && problems().isEmpty()
				&& this.requests.values().stream().allMatch((request) -> request.late == null);
	}

	/** Whether any request was answered as expected. */
	synchronized boolean isAnswered() {
		return answered() > 0;
	}

	/** Closes the record with the verdict that follows from the outcomes. */
	public synchronized RunRecord finished() {
		if (!isAnswered()) {
			return close(Verdict.FAILED, Optional.of(problems().orElse("nothing was sent")));
		}
		Optional<String> endedEarly = endedEarly();
		Optional<String> problems = problems().or(this::foreign);
		String reason = Stream.of(problems, endedEarly).flatMap(Optional::stream).collect(Collectors.joining("; "));
		Verdict verdict = endedEarly.isPresent() ? Verdict.TIMED_OUT : Verdict.WARM;
		return close(problems.isPresent() ? Verdict.DEGRADED : verdict,
				Optional.of(reason).filter((text) -> !text.isEmpty()));
	}

	private Optional<String> foreign() {
		return Optional
			.of("no answer was this instance's own: the catalog's "
					+ "routes lead to other services, or to fixed addresses instead of lb://")
			.filter((problem) -> elsewhere() == answered());
	}

	/** Why the run ended before all was steady, if it did. */
	private Optional<String> endedEarly() {
		List<String> unsteady = unsteady();
		boolean all = this.complete || this.seen >= this.planned;
		if (all && unsteady.isEmpty()) {
			return Optional.empty();
		}
		long sent = this.requests.values()
			.stream()
			.filter((request) -> !request.cleanup)
			.mapToLong((request) -> request.sent)
			.sum();
		List<String> causes = Stream.concat(slowest().stream(), unsteady.stream()).toList();
		return Optional.of(this.endedBy + (all ? "" : " after %d of %d requests".formatted(sent, this.planned))
				+ (causes.isEmpty() ? "" : " before all was steady: " + Reasons.first(causes)));
	}

	/** A busy JVM first: where processors are few, it is why requests are slow. */
	private List<String> unsteady() {
		return Stream
			.concat(Stream.ofNullable(this.busy),
					this.requests.values().stream().map(RequestRecorder::unsteady).flatMap(Optional::stream))
			.toList();
	}

	/** A request that took more than half of the run, and a second or more each time. */
	private Optional<String> slowest() {
		Duration sofar = Duration.between((this.reachedAt != null) ? this.reachedAt : this.startedAt,
				this.clock.instant());
		return this.requests.values()
			.stream()
			.filter((request) -> request.taken.compareTo(sofar.dividedBy(2)) > 0
					&& request.taken.compareTo(Duration.ofSeconds(request.sent)) >= 0)
			.map((request) -> "%s took %d of %d s".formatted(request.request.name(), request.taken.toSeconds(),
					sofar.toSeconds()))
			.findFirst();
	}

	/** The first problem of each request, of those that failed most often first. */
	private Optional<String> problems() {
		return this.reasons.of(this.requests.values()
			.stream()
			.sorted(Comparator.comparingDouble(RequestRecorder::answeredShare))
			.flatMap((request) -> request.problem().stream())
			.toList());
	}

	private long answered() {
		return this.requests.values().stream().mapToLong(RequestRecorder::answered).sum();
	}

	private long elsewhere() {
		return this.requests.values().stream().mapToLong((request) -> request.elsewhere).sum();
	}

	private List<String> findings() {
		Stream<String> apart = Stream
			.of("%d of %d answers came from other services, and do not count as this instance's".formatted(elsewhere(),
					answered()))
			.filter((finding) -> elsewhere() > 0);
		return Stream.concat(apart, this.findings.stream()).limit(MAX_FINDINGS).toList();
	}

	private RunRecord close(Verdict verdict, Optional<String> reason) {
		Instant end = this.clock.instant();
		Instant reached = (this.reachedAt != null) ? this.reachedAt : end;
		Latencies steady = new Latencies();
		this.requests.values()
			.stream()
			.filter((request) -> request.elsewhere == 0)
			.forEach((request) -> steady.add(request.recent.get()));
		Optional<Duration> first = Optional.ofNullable(this.first);
		Optional<Duration> steadyP50 = steady.percentile(50);
		Optional<Double> ratio = first
			.flatMap((slow) -> steadyP50.map((fast) -> (double) slow.toNanos() / fast.toNanos()));
		long sent = this.requests.values().stream().mapToLong((request) -> request.sent).sum();
		JvmSnapshot.Figures jvm = JvmSnapshot.Figures.now().since(this.jvmBefore);
		return new RunRecord(this.id, this.trigger, verdict, this.gateway, this.startedAt,
				Duration.between(reached, end), Duration.between(this.startedAt, reached), sent, sent - answered(),
				first, steadyP50, steady.percentile(95), ratio, jvm.jit(), jvm.classesLoaded(), jvm.cpu(),
				reason.map(Reasons::onOneLine), findings(),
				this.requests.values().stream().map(RequestRecorder::toRecord).toList());
	}

	private RequestRecorder recorder(Scenario scenario, RequestTemplate request) {
		RequestRecorder recorder = this.requests.get(new Key(scenario.name(), request.name()));
		if (recorder == null) {
			throw new IllegalArgumentException("Not a request of this run: " + request.name());
		}
		return recorder;
	}

	private Stream<RequestRecorder> recorders(Scenario scenario) {
		return requestsOf(scenario).map((request) -> recorder(scenario, request));
	}

	private static Stream<RequestTemplate> requestsOf(Scenario scenario) {
		return Stream.concat(scenario.requests().stream(), scenario.cleanup().stream());
	}

	/** Request names are unique within a scenario only. */
	private record Key(String scenario, String request) {

	}

	/** Counts and times one request of the catalog. */
	private static final class RequestRecorder {

		private static final int LAST_TEN = (1 << 10) - 1;

		private final Scenario scenario;

		private final RequestTemplate request;

		private final boolean cleanup;

		private final LatencyTrend trend;

		private final Latencies all = new Latencies();

		private final Latencies.Recent recent = new Latencies.Recent();

		private long sent;

		/** All its latencies together. */
		private Duration taken = Duration.ZERO;

		/** Whether the end of the budget cut it off. */
		private boolean canceled;

		/** Answers of other services, which do not show how warm this instance is. */
		private long elsewhere;

		private @Nullable Duration first;

		/** The first failure, but for answers that were only late. */
		private @Nullable String problem;

		/** The first answer that was only late. */
		private @Nullable String late;

		/** A bit for each of the last ten results, set if it failed or was not sent. */
		private int failures;

		/** Likewise, set if the answer was only late, which is no failure here. */
		private int lates;

		/** How many times in a row there was no answer. */
		private int unanswered;

		RequestRecorder(Scenario scenario, RequestTemplate request, LatencyTrend trend) {
			this.scenario = scenario;
			this.request = request;
			this.cleanup = scenario.cleanup().contains(request);
			this.trend = trend;
		}

		void add(Outcome outcome) {
			this.taken = this.taken.plus(outcome.latency());
			if (outcome instanceof Outcome.Answered answered) {
				sent(false, false);
				this.unanswered = 0;
				this.elsewhere += answered.own() ? 0 : 1;
				this.first = (this.first != null) ? this.first : answered.latency();
				this.all.add(answered.latency());
				this.trend.add(answered.latency());
				this.recent.add(answered.latency());
			}
			else if (outcome instanceof Outcome.Late tooLate) {
				sent(false, true);
				this.unanswered = 0;
				this.late = first(this.late, tooLate.problem());
				this.first = (this.first != null) ? this.first : tooLate.latency();
				this.trend.add(tooLate.latency());
			}
			else if (outcome instanceof Outcome.Unexpected unexpected) {
				sent(true, false);
				this.unanswered = isTimeLimit(unexpected) ? this.unanswered + 1 : 0;
				this.problem = first(this.problem, unexpected.problem());
			}
			else if (outcome instanceof Outcome.Failed failed) {
				sent(true, false);
				this.unanswered++;
				this.problem = first(this.problem, failed.problem());
			}
			else if (outcome instanceof Outcome.NotSent) {
				this.failures = next(this.failures, true);
				this.unanswered = 0;
			}
			else if (outcome instanceof Outcome.Canceled) {
				this.canceled = true;
			}
		}

		/** The gateway's own, which may be shorter than the catalog's. */
		private static boolean isTimeLimit(Outcome.Unexpected unexpected) {
			return unexpected.status() == 504 && !unexpected.byService();
		}

		private void sent(boolean failed, boolean wasLate) {
			this.sent++;
			this.failures = next(this.failures, failed);
			this.lates = next(this.lates, wasLate);
		}

		private static int next(int bits, boolean set) {
			return ((bits << 1) | (set ? 1 : 0)) & LAST_TEN;
		}

		private String first(@Nullable String before, String what) {
			return (before != null) ? before : this.request.method() + " " + this.request.path().source() + " " + what;
		}

		long answered() {
			return this.all.count();
		}

		double answeredShare() {
			return (this.sent == 0) ? 1 : (double) answered() / this.sent;
		}

		/** Also when it keeps failing, or is never sent. */
		boolean isSettled() {
			return this.sent == 0 || isFailing() || this.trend.isSteady();
		}

		/** Why its latency is not steady; empty also when it has none. */
		Optional<String> unsteady() {
			if (this.sent == 0 && this.canceled) {
				return Optional.of(this.request.name() + " had no answer yet");
			}
			return (isSettled() || answered() == 0) ? Optional.empty()
					: this.trend.problem().map((what) -> this.request.name() + " " + what);
		}

		/**
		 * Whether half of the last ten results were failures, its own or of what it
		 * needs.
		 */
		private boolean isFailing() {
			return Integer.bitCount(this.failures) >= 5;
		}

		/** Late answers are expected of an instance while it is cold, but not later. */
		Optional<String> problem() {
			return Optional.ofNullable(this.problem)
				.or(() -> Optional.ofNullable(this.late)
					.filter((what) -> Integer.bitCount(this.lates) > MAX_LATE || answered() == 0));
		}

		RunRecord.Request toRecord() {
			return new RunRecord.Request(this.scenario.name(), this.request.name(), this.sent, this.sent - answered(),
					Optional.ofNullable(this.first), this.all.percentile(50), this.all.percentile(95),
					this.trend.isSteady(), problem().or(() -> Optional.ofNullable(this.late)));
		}

	}

}
