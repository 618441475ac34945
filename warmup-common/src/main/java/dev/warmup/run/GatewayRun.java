package dev.warmup.run;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

import dev.warmup.Gateway;
import dev.warmup.catalog.Scenario;
import dev.warmup.protocol.Gate;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.JvmSnapshot;
import dev.warmup.protocol.Listeners;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.RunReport;
import dev.warmup.protocol.SignedClaim;
import dev.warmup.run.Retries.NoRouteException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * The part of a run that goes through one gateway: checks the registration, waits until
 * the instance answers a first request, replays the plan round by round until all of it
 * is steady, and records. It begins with one scenario at a time, and slows down while the
 * instance does not answer. Where the gate is closed, it may open it before the end
 * ({@link Ramp}).
 */
final class GatewayRun {

	/** Rounds between two report dry runs. */
	private static final int DRY_RUN_PERIOD = 5;

	/** How often a run asks whether the gate may open before its end. */
	private static final Duration OPENING_CHECK = Duration.ofSeconds(1);

	/** Far longer than the last answers, and what cleans up, take after the budget. */
	private static final Duration HANG_CHECK = Duration.ofMinutes(10);

	private final Shared shared;

	private final Plan plan;

	private final Target target;

	private final Session session;

	private final RunRecorder recorder;

	private final Rounds rounds;

	/** Completes once each request has been answered its minimum number of times. */
	private final Sinks.Empty<Void> asPlanned = Sinks.empty();

	private final Sinks.Empty<Void> replayed = Sinks.empty();

	/** How often a route was looked for. */
	private final AtomicInteger attempts = new AtomicInteger();

	/** Why the first scenario found none. */
	private volatile @Nullable NoRouteException noRoute;

	/** The scenario that found a route. */
	private volatile @Nullable Scenario routed;

	/** When the instance gave its first answer. */
	private volatile long answeredAt;

	private volatile int nextRound;

	private GatewayRun(Shared shared, Plan plan, Target target, Session session, RunRecorder recorder) {
		this.shared = shared;
		this.plan = plan;
		this.target = target;
		this.session = session;
		this.recorder = recorder;
		this.rounds = new Rounds(plan, session, shared.settings(), recorder, JvmSnapshot.Figures::now, shared.timing(),
				target.ramp()::isUndisturbed);
	}

	/**
	 * Runs through the gateway.
	 * @param plan what to send, not empty
	 */
	static Mono<RunRecord> run(Shared shared, Plan plan, RunRecorder recorder, Instance self, Target target) {
		Session session = new Session(plan.catalog(), target.gateway().uri(),
				() -> shared.client()
					.claim(target.gateway(), self.instanceId(), SignedClaim.Scope.REPLAY, recorder.id()),
				self.service(), target.budget(), target.ramp().gap());
		return new GatewayRun(shared, plan, target, session, recorder).execute()
			.onErrorResume(NoRouteException.class,
					(noRoute) -> Mono.fromSupplier(() -> recorder.unreached(noRoute.getMessage())));
	}

	private Mono<RunRecord> execute() {
		return Mono.firstWithSignal(throughGateway(), hung().then(Mono.fromSupplier(this::close)));
	}

	/**
	 * Reactor signals some errors to nobody, such as a {@link LinkageError} where classes
	 * of libraries do not fit: no timeout within the run would end it.
	 */
	private Mono<Void> hung() {
		return Flux.interval(HANG_CHECK, this.shared.timing().scheduler())
			.filter((tick) -> this.session.budget().isOver())
			.skip(1)
			.next()
			.doOnNext((tick) -> this.recorder
				.addFinding("The run did not end by itself after its budget: look for an error in the log."))
			.then();
	}

	private Mono<RunRecord> throughGateway() {
		return waitForRoute().concatWith(Flux.defer(this::replay))
			.doOnNext(this::record)
			.then(Mono.fromSupplier(this::close));
	}

	/**
	 * Once the gateway accepts this instance, sends scenarios by turns until the first
	 * request of one is answered: the first scenario's may never be.
	 */
	private Flux<Outcome> waitForRoute() {
		return Mono.defer(() -> this.shared.client().checkRegistration(this.target.gateway(), this.session.claim()))
			.thenMany(Flux.defer(this::attempt))
			.retryWhen(Retries.waitingFor(Retries.ROUTE, this.session.budget(), this.shared.timing().scheduler()));
	}

	/**
	 * An attempt that finds a route restarts the budget for the replay. One that does not
	 * sends only {@code finally} requests from then on: the request may have reached the
	 * service, and only its answer been lost.
	 */
	private Flux<Outcome> attempt() {
		List<Scenario> scenarios = this.plan.round(0);
		Scenario scenario = scenarios.get(this.attempts.getAndIncrement() % scenarios.size());
		Budget branch = this.session.budget().branch();
		return this.shared.replayer()
			.replay(scenario, this.session.within(branch))
			.defaultIfEmpty(new Outcome.Canceled(scenario, scenario.requests().get(0)))
			.switchOnFirst((signal, outcomes) -> Optional.ofNullable(signal.get())
				.flatMap(this::noRoute)
				.map((reason) -> outcomes.doFirst(branch::stop).thenMany(Flux.<Outcome>error(reason)))
				.orElseGet(() -> outcomes.doFirst(() -> routed(scenario))));
	}

	/**
	 * After the first scenario found none, another shows a route only by an answer of the
	 * instance as expected; without one, the reason is that of the first.
	 */
	private Optional<NoRouteException> noRoute(Outcome outcome) {
		NoRouteException before = this.noRoute;
		if (before != null && !outcome.scenario().equals(this.plan.round(0).get(0))) {
			return outcome.own() ? Optional.empty() : Optional.of(before);
		}
		Optional<NoRouteException> noRoute = NoRouteException.in(outcome, this.target.gateway());
		this.noRoute = noRoute.orElse(null);
		return noRoute;
	}

	private void routed(Scenario scenario) {
		this.routed = scenario;
		this.answeredAt = this.shared.timing().now();
		restartBudget();
	}

	/** The replay has the whole budget, or what is left of the ramp, which has an end. */
	private void restartBudget() {
		RunSettings settings = this.shared.settings();
		if (this.target.ramp().isStarted()) {
			this.session.budget().endAfter(this.target.ramp().left(settings.rampWindow()));
		}
		else {
			this.session.budget().restart(settings.budget());
		}
	}

	/** Goes on where the gate opens before all is steady. */
	private Flux<Outcome> replay() {
		Flux<Outcome> replay = rounds()
			.concatWith(Flux.defer(() -> this.recorder.isComplete() ? Flux.empty() : rampAndGoOn()))
			.doFinally((signal) -> this.replayed.tryEmitEmpty());
		// first, since the replay may find at once that it has to go on with a new budget
		return Flux.merge(rampWhenDue().thenMany(Flux.empty()), replay);
	}

	/**
	 * Gateways that do not answer the announcement delay nothing. Where the run through
	 * another gateway is opening the gate, the budget begins anew once it has.
	 */
	private Flux<Outcome> rampAndGoOn() {
		Ramp ramp = this.target.ramp();
		Mono<Void> opened = this.recorder.isAnswered() ? ramp() : Mono.empty();
		return Flux.merge(opened.thenMany(Flux.empty()),
				Flux.defer(() -> ramp.isPossible() ? rounds() : ramp.whenDecided().thenMany(rounds())));
	}

	/** An opening that has begun is announced, also when the replay ends meanwhile. */
	private Mono<Void> rampWhenDue() {
		Ramp ramp = this.target.ramp();
		Mono<Void> over = this.replayed.asMono();
		Mono<Void> started = ramp.whenStarted().doOnSuccess((open) -> restartBudget()).takeUntilOther(over);
		Mono<Boolean> due = Mono.firstWithSignal(mayOpen(), ramp.whenOverdue().thenReturn(true));
		return ramp.isPossible() ? Mono.when(started, due.takeUntilOther(over).flatMap((yes) -> ramp())) : started;
	}

	/** {@link Rounds} decides when they end. */
	private Flux<Outcome> rounds() {
		return Flux.defer(() -> Flux.range(this.nextRound, Integer.MAX_VALUE - this.nextRound))
			.takeWhile((round) -> !this.session.budget().isOver() && hasRound(round))
			.concatMap((round) -> replay(round).concatWith(isDryRunDue(round) ? reportDryRun() : Mono.empty()), 0);
	}

	/** Rounds may be empty, where what is left has a low weight. */
	private boolean isDryRunDue(int round) {
		return (round + 1) % DRY_RUN_PERIOD == 0 && !this.rounds.round(round).isEmpty();
	}

	private boolean hasRound(int round) {
		this.nextRound = round + 1;
		boolean more = this.rounds.has(round);
		if (more && this.recorder.isAsPlanned()) {
			this.asPlanned.tryEmitEmpty();
		}
		return more;
	}

	/**
	 * Emits, if another instance takes users, once each request has been answered its
	 * minimum number of times or {@code openAfter} has passed since the first answer; in
	 * any case once {@code openAfter} has passed and the minimum has been sent if this
	 * JVM started from an AOT cache; at once if the gate is already open.
	 */
	private Mono<Boolean> mayOpen() {
		if (this.target.ramp().isBesideUsers()) {
			return untilAnswered(Mono.just(true));
		}
		Duration left = this.shared.settings().openAfter().minusNanos(this.shared.timing().now() - this.answeredAt);
		Mono<Void> openAfter = Mono.delay(left, this.shared.timing().scheduler()).then();
		Mono<Boolean> besideSiblings = Mono.firstWithSignal(this.asPlanned.asMono(), openAfter)
			.then(untilAnswered(
					Mono.defer(() -> this.shared.client().siblings(this.target.gateway(), this.session.claim()))
						.map((siblings) -> siblings > 0)));
		Mono<Boolean> fromCache = openAfter.then(untilAnswered(Mono.fromSupplier(this.recorder::isMinimumSent)));
		return this.shared.settings().cached() ? Mono.firstWithValue(besideSiblings, fromCache) : besideSiblings;
	}

	private Mono<Boolean> untilAnswered(Mono<Boolean> condition) {
		return condition.filter((holds) -> holds && this.recorder.isAnswered())
			.repeatWhenEmpty((checks) -> checks.delayElements(OPENING_CHECK, this.shared.timing().scheduler()));
	}

	/** Opens the gate, unless the run is stopped or it is to stay closed. */
	private Mono<Void> ramp() {
		return Mono.defer(() -> this.session.budget().isStopped() ? Mono.empty()
				: this.target.ramp().start(this.recorder.finished()));
	}

	/** The first one is without the scenario that found the route. */
	private Flux<Outcome> replay(int round) {
		return Flux.fromIterable(this.rounds.round(round))
			.filter((scenario) -> round > 0 || !scenario.equals(this.routed))
			.flatMap(
					(scenario) -> this.rounds.throttle()
						.thenMany(this.shared.replayer().replay(scenario, this.session)),
					this.target.ramp().isStarted() ? 1 : this.rounds.concurrency(round));
	}

	/** Takes no time beyond the budget, and stops with the run. */
	private Mono<Outcome> reportDryRun() {
		return Mono.defer(() -> this.session.budget().isOver() ? Mono.empty()
				: this.shared.client()
					.reportDryRun(this.target.gateway(),
							new RunReport(this.session.service(), this.session.claim().instanceId(), Phase.WARMING,
									Gate.Position.CLOSED, this.recorder.finished()))
					.take(this.session.budget().remaining(), this.shared.timing().scheduler())
					.takeUntilOther(this.session.budget().whenStopped())
					.then(Mono.empty()));
	}

	private void record(Outcome outcome) {
		if (this.target.ofAll()) {
			this.shared.state().underWay();
		}
		this.rounds.record(outcome);
		this.recorder.add(outcome);
		this.shared.listeners().each((listener) -> listener.onOutcome(outcome));
	}

	private RunRecord close() {
		this.rounds.finding().ifPresent(this.recorder::addFinding);
		if (this.session.budget().isStopped()) {
			this.recorder.stopped();
		}
		return this.recorder.finished();
	}

	/**
	 * Where a run goes.
	 *
	 * @param budget how long to wait for a route; restarted once there is one
	 * @param ofAll whether it belongs to a run through all gateways, which decides on the
	 * instance's phase
	 */
	record Target(Gateway gateway, Budget budget, Ramp ramp, boolean ofAll) {

	}

	/** What all runs share. */
	record Shared(GatewayClient client, Replayer replayer, Listeners<RunListener> listeners, WarmupState state,
			RunSettings settings, Timing timing) {

	}

}
