package dev.warmup.run;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import dev.warmup.Gateway;
import dev.warmup.catalog.Scenario;
import dev.warmup.protocol.GatePosition;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.JvmFigures;
import dev.warmup.protocol.JvmReading;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.RunReport;
import dev.warmup.protocol.TaskRecord;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.WarmupClaim;
import dev.warmup.protocol.WarmupToken;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * One run's way through one gateway: knocks, waits until the instance answers the first
 * request, replays the plan round by round until all is steady, and records. It begins
 * gently, one scenario at a time, and slows down while the instance does not answer. Now
 * and then it rehearses the report with the gateway. Thread-safe.
 */
public final class GatewayRun {

	private static final Logger logger = LoggerFactory.getLogger(GatewayRun.class);

	/** After so many rounds the report is rehearsed, and again after as many more. */
	private static final int REHEARSAL = 5;

	private final GatewayClient door;

	private final Replayer replayer;

	private final Reporter reporter;

	private final RunSettings settings;

	private final RunListener listeners;

	private final List<RunListener> watches;

	private final WarmupState state;

	private final WarmupToken token;

	private final Timing timing;

	/**
	 * Creates a passage.
	 * @param door asks whether a gateway knows the instance
	 * @param replayer sends
	 * @param reporter rehearses the report
	 * @param settings how many scenarios are replayed side by side
	 * @param listeners are told of each outcome; those that are a {@link RunObserver} see
	 * more
	 * @param state is told when the first answer is there
	 * @param token proves who sends
	 * @param timing the source of time
	 */
	public GatewayRun(GatewayClient door, Replayer replayer, Reporter reporter, RunSettings settings,
			List<RunListener> listeners, WarmupState state, WarmupToken token, Timing timing) {
		this.door = door;
		this.replayer = replayer;
		this.reporter = reporter;
		this.settings = settings;
		this.listeners = new RunListeners(listeners);
		this.watches = List.copyOf(listeners);
		this.state = state;
		this.token = token;
		this.timing = timing;
	}

	/**
	 * Goes through.
	 * @param id names the run
	 * @param trigger what the run is for
	 * @param plan what to send, not empty
	 * @param done the tasks that were run before
	 * @param self who sends
	 * @param gateway what to go through
	 * @param budget how long it may wait for the way; it begins anew once that is found
	 * @param limit how long it may send from then on
	 * @return the record
	 */
	Mono<RunRecord> run(String id, Trigger trigger, Plan plan, List<TaskRecord> done, Instance self, Gateway gateway,
			Budget budget, Duration limit) {
		return Mono.defer(() -> {
			RunRecorder recorder = new RunRecorder(id, trigger, gateway.id(), plan, this.settings.steadiness(),
					this.timing.clock());
			recorder.tasks(done);
			Rounds rounds = new Rounds(plan, this.settings, recorder,
					() -> JvmReading.now(self.instanceId(), this.settings.processors()), this.timing);
			Session session = new Session(plan.catalog(), gateway.uri(),
					new WarmupClaim(self.instanceId(), Optional.of(this.token.value()), id), self.service(), budget);
			CpuShare cpu = new CpuShare(this.settings.maxCpuShare(), this.settings.processors(),
					() -> JvmFigures.now().cpu(), this.timing.nanoTime());
			ReplayThrottle pace = new ReplayThrottle(budget, this.timing.scheduler(), cpu);
			Mono<Void> rehearsal = rehearsal(budget, gateway, () -> new RunReport(self.service(), self.instanceId(),
					Phase.WARMING, GatePosition.CLOSED, recorder.finished()));
			return Mono.usingWhen(Observations.of(this.watches, id, recorder),
					(sight) -> outcomes(plan, session, gateway, limit, pace, rounds, sight, rehearsal)
						.doOnNext((outcome) -> {
							this.state.underWay();
							pace.note(outcome);
							rounds.note(outcome);
							recorder.add(outcome);
							this.listeners.onOutcome(outcome);
						})
						.then(Observations.ended(sight))
						.then(Mono.fromSupplier(() -> {
							cpu.finding().ifPresent(recorder::found);
							return finished(recorder, budget);
						})),
					(sight) -> Mono.fromRunnable(sight::close))
				.onErrorResume(NoRouteException.class,
						(noWay) -> Mono.fromSupplier(() -> recorder.unreached(noWay.getMessage())));
		});
	}

	/** Takes nothing that the budget does not have, and no run fails by it. */
	private Mono<Void> rehearsal(Budget budget, Gateway gateway, Supplier<RunReport> report) {
		return Mono.defer(() -> budget.isOver() ? Mono.<Void>empty()
				: this.reporter.rehearse(gateway, report.get())
					.take(budget.remaining(), this.timing.scheduler())
					.takeUntilOther(budget.whenStopped()))
			.onErrorResume((error) -> {
				logger.warn("The report for gateway {} was not rehearsed; the run goes on", gateway.id(), error);
				return Mono.empty();
			});
	}

	private static RunRecord finished(RunRecorder recorder, Budget budget) {
		if (budget.isStopped()) {
			recorder.stopped();
		}
		return recorder.finished();
	}

	private Flux<Outcome> outcomes(Plan plan, Session session, Gateway gateway, Duration limit, ReplayThrottle pace,
			Rounds rounds, RunObserver.Observation sight, Mono<Void> rehearsal) {
		Flux<Outcome> way = knock(session, gateway).doOnNext((known) -> sight.attempt())
			.flatMapMany((known) -> attempt(plan.round(0).get(0), session, gateway, limit, known))
			.doOnNext(sight::alone)
			.retryWhen(new RouteRetry(session.budget(), this.timing.scheduler()));
		Flux<Outcome> replay = Flux.range(0, this.settings.rounds(plan) + 1)
			.takeWhile((round) -> !session.budget().isOver() && rounds.has(round))
			.concatMap((round) -> Flux.fromIterable(rounds.round(round))
				.skip((round == 0) ? 1 : 0)
				.flatMap((scenario) -> pace.next().thenMany(this.replayer.replay(scenario, session)),
						rounds.concurrency(round))
				.doOnNext((outcome) -> {
					if (round == 0) {
						sight.alone(outcome);
					}
				})
				.doOnComplete(() -> {
					if (round == 0) {
						sight.together();
					}
				})
				.concatWith(((round + 1) % REHEARSAL == 0) ? rehearsal.then(Mono.empty()) : Mono.empty()), 0);
		return way.concatWith(replay);
	}

	/** Whether the gateway knows the instance: one without this library cannot tell. */
	private Mono<Boolean> knock(Session session, Gateway gateway) {
		return Mono.defer(() -> this.door.knock(gateway, session.claim()))
			.flatMap((heard) -> (heard instanceof RegistrationCheck.NotYet notYet)
					? Mono.error(new NoRouteException(notYet.obstacle()))
					: Mono.just(heard instanceof RegistrationCheck.Known));
	}

	/**
	 * An attempt that finds the way starts the clock of the replay: it must not run while
	 * there is nobody to answer. One that does not sends nothing more but what cleans up:
	 * the request may have reached the service, and only its answer been lost.
	 */
	private Flux<Outcome> attempt(Scenario scenario, Session session, Gateway gateway, Duration limit, boolean known) {
		return Flux.defer(() -> {
			Budget attempt = session.budget().branch();
			return this.replayer.replay(scenario, session.within(attempt))
				.defaultIfEmpty(new Outcome.Cut(scenario, scenario.requests().get(0)))
				.switchOnFirst((signal, outcomes) -> Optional.ofNullable(signal.get())
					.flatMap((outcome) -> RouteCheck.in(outcome, gateway, known))
					.map((noWay) -> outcomes.doFirst(attempt::stop).thenMany(Flux.<Outcome>error(noWay)))
					.orElseGet(() -> outcomes.doFirst(() -> session.budget().restart(limit))));
		});
	}

}
