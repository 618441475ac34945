package dev.warmup.run;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import dev.warmup.catalog.Scenario;
import dev.warmup.protocol.JvmSnapshot;
import reactor.core.publisher.Mono;

/**
 * Decides between two rounds of a run whether there is another, and of what. All
 * scenarios are replayed until the minimum number of rounds is reached and the JVMs on
 * the route are quiet and the machine is not busy, since all become faster meanwhile;
 * then those that are not settled, until none is left. One that found no answer twice
 * waits for the others, and requests that keep failing are sent less often than others.
 * <p>
 * It also throttles the replay. While the instance does not answer, each repetition waits
 * before it begins, longer with every failure, so that the run does not keep a circuit
 * breaker open that users share. And it waits for as long as this JVM took more than its
 * share of the processors. Thread-safe.
 */
final class Rounds {

	/** It begins with one scenario at a time, and one more after so many rounds. */
	private static final int STEP = 5;

	/** Rounds between two repetitions of what keeps failing or lost an answer. */
	private static final int FAILING_EVERY = 10;

	/** Where nothing else is left to send: an error may log a stack trace. */
	private static final Duration FAILING_PAUSE = Duration.ofSeconds(1);

	private static final Duration FIRST_PAUSE = Duration.ofMillis(100);

	private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

	/** Short, so that a run ends when it is stopped. */
	private static final Duration LONGEST_CPU_PAUSE = Duration.ofSeconds(1);

	private final Plan plan;

	private final Session session;

	private final RunSettings settings;

	private final RunRecorder recorder;

	private final Supplier<JvmSnapshot.Figures> jvm;

	private final Timing timing;

	private final JvmActivity activity;

	/** Package-private for tests. */
	final Contention contention;

	private final BooleanSupplier undisturbed;

	private Duration cpuAtStart;

	private long start;

	private final Set<Scenario> all;

	private Set<Scenario> due;

	/** The last round of each scenario that had all of its requests. */
	private final Map<Scenario, Integer> lastRounds = new HashMap<>();

	private Duration pause = Duration.ZERO;

	private boolean pausedForCpu;

	private boolean onlyFailing;

	Rounds(Plan plan, Session session, RunSettings settings, RunRecorder recorder, Supplier<JvmSnapshot.Figures> jvm,
			Timing timing, BooleanSupplier undisturbed) {
		this.plan = plan;
		this.session = session;
		this.settings = settings;
		this.recorder = recorder;
		this.jvm = jvm;
		this.timing = timing;
		this.activity = new JvmActivity(settings.criteria(), session.claim().instanceId());
		this.undisturbed = undisturbed;
		this.contention = new Contention(settings.criteria().maxContention());
		this.cpuAtStart = jvm.get().cpu();
		this.start = this.timing.now();
		this.all = plan.shares().stream().map(Plan.Share::scenario).collect(Collectors.toSet());
		this.due = this.all;
	}

	/**
	 * Whether there is a round of this number.
	 * @param round from 0, and one more each time
	 */
	synchronized boolean has(int round) {
		JvmSnapshot.Figures figures = this.jvm.get();
		if (round == 0) { // waiting for a route took no processor
			this.cpuAtStart = figures.cpu();
			this.start = this.timing.now();
		}
		this.activity.record(this.timing.now(), new JvmSnapshot(this.session.claim().instanceId(),
				this.settings.processors(), figures.jit(), figures.classesLoaded()));
		this.contention.read(this.timing.now());
		Optional<String> contention = this.contention.lasting(this.undisturbed.getAsBoolean());
		Optional<String> busy = this.activity.busy().or(() -> contention);
		this.recorder.busy(busy);
		if (round < this.plan.rounds()) {
			this.due = answered(this.all, round);
			return true;
		}
		this.onlyFailing = this.recorder.isFailing();
		this.due = answered((this.activity.isQuiet() && busy.isEmpty()) ? unsettled() : this.all, round);
		if (this.due.isEmpty()) {
			this.recorder.complete("a scenario that finds no answer was given up");
			return false;
		}
		if (round >= this.settings.rounds(this.plan)) {
			this.recorder.complete("all %d repetitions were sent".formatted(this.settings.maxRepetitions()));
			return false;
		}
		return true;
	}

	private Set<Scenario> unsettled() {
		return this.all.stream().filter((scenario) -> !this.recorder.isSettled(scenario)).collect(Collectors.toSet());
	}

	/**
	 * Without scenarios that find no answer, each of which takes its timeout. The first
	 * request of all, which loads most classes, may well exceed it: they are tried once
	 * more ten rounds later, and then wait until the others are settled.
	 */
	private Set<Scenario> answered(Set<Scenario> scenarios, int round) {
		Set<Scenario> answered = scenarios.stream()
			.filter((scenario) -> !this.recorder.isUnanswered(scenario, isItsTurn(scenario, round) ? 2 : 1))
			.collect(Collectors.toSet());
		return answered.isEmpty() ? scenarios : answered;
	}

	private boolean isItsTurn(Scenario scenario, int round) {
		return round - this.lastRounds.getOrDefault(scenario, -FAILING_EVERY) >= FAILING_EVERY;
	}

	/** What is replayed in a round that there is. */
	synchronized List<Scenario> round(int round) {
		return this.plan.round(round)
			.stream()
			.filter(this.due::contains)
			.map((scenario) -> due(scenario, round))
			.filter((scenario) -> !scenario.requests().isEmpty())
			.toList();
	}

	/** What fails may wait for another service that has not started yet. */
	private Scenario due(Scenario scenario, int round) {
		if (round >= this.plan.rounds() && !isItsTurn(scenario, round) && this.recorder.isFailing(scenario)) {
			return this.recorder.working(scenario);
		}
		this.lastRounds.put(scenario, round);
		return scenario;
	}

	/** How many scenarios may go in parallel. */
	int concurrency(int round) {
		return Math.min(this.settings.concurrency(), 1 + round / STEP);
	}

	/** Completes when the next repetition may begin, or the budget is over. */
	Mono<Void> throttle() {
		return Mono.defer(() -> {
			Duration longer = pause();
			return longer.isZero() ? Mono.empty()
					: Mono.delay(this.session.budget().atMost(longer), this.timing.scheduler())
						.takeUntilOther(this.session.budget().whenStopped())
						.then();
		});
	}

	private synchronized Duration pause() {
		Duration forCpu = pauseForCpu();
		this.pausedForCpu |= !forCpu.isZero();
		Duration longer = (this.pause.compareTo(forCpu) < 0) ? forCpu : this.pause;
		return (this.onlyFailing && longer.compareTo(FAILING_PAUSE) < 0) ? FAILING_PAUSE : longer;
	}

	private Duration pauseForCpu() {
		if (this.settings.maxCpuShare() >= 1) {
			return Duration.ZERO;
		}
		double taken = this.jvm.get().cpu().minus(this.cpuAtStart).toNanos() / maxProcessors();
		return shorter(Duration.ofNanos(Math.max(0, Math.round(taken) - (this.timing.now() - this.start))),
				LONGEST_CPU_PAUSE);
	}

	private double maxProcessors() {
		return this.settings.maxCpuShare() * this.settings.processors();
	}

	/** Records an outcome, and the figures that a gateway returned of its JVM with it. */
	synchronized void record(Outcome outcome) {
		if (outcome instanceof Outcome.Answered answered) {
			answered.gateway().ifPresent((snapshot) -> this.activity.record(this.timing.now(), snapshot));
			this.pause = Duration.ZERO;
		}
		else if (outcome instanceof Outcome.Late
				|| (outcome instanceof Outcome.Unexpected unexpected && unexpected.byService())) {
			this.pause = Duration.ZERO;
		}
		else if (isHarmful(outcome)) {
			this.pause = this.pause.isZero() ? FIRST_PAUSE : shorter(this.pause.multipliedBy(2), LONGEST_PAUSE);
		}
	}

	/** A gateway that rejects a request, as with 401, takes no harm from it. */
	private static boolean isHarmful(Outcome outcome) {
		return outcome instanceof Outcome.Failed || (outcome instanceof Outcome.Unexpected unexpected
				&& (unexpected.status() / 100 == 5 || unexpected.status() / 100 == 2));
	}

	/** Whether the run waited for processors. */
	synchronized Optional<String> finding() {
		return this.pausedForCpu ? Optional.of(String.format(Locale.ROOT,
				"The run paused, to take no more than %.2f of %d processors (warmup.cpu.max-share).", maxProcessors(),
				this.settings.processors())) : Optional.empty();
	}

	private static Duration shorter(Duration one, Duration other) {
		return (one.compareTo(other) < 0) ? one : other;
	}

}
