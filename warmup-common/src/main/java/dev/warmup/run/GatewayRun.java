package dev.warmup.run;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.warmup.Gateway;
import dev.warmup.catalog.Scenario;
import dev.warmup.protocol.ClaimScope;
import dev.warmup.protocol.GatePosition;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.JvmFigures;
import dev.warmup.protocol.JvmReading;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.RunReport;
import dev.warmup.protocol.TaskRecord;
import dev.warmup.protocol.Trigger;
import dev.warmup.run.GatewayClient.RegistrationCheck;
import dev.warmup.run.ReplayThrottle.CpuShare;
import dev.warmup.run.RunListener.Observation;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * The part of a run that goes through one gateway: checks the registration, waits until
 * the instance answers the first request, replays the plan round by round until all of it
 * is steady, and records. It begins with one scenario at a time, and slows down while the
 * instance does not answer. Thread-safe.
 */
final class GatewayRun {

	/** Rounds between two report dry runs. */
	private static final int DRY_RUN_PERIOD = 5;

	private final GatewayClient client;

	private final Replayer replayer;

	private final RunListener listeners;

	private final WarmupState state;

	private final RunSettings settings;

	private final Timing timing;

	GatewayRun(GatewayClient client, Replayer replayer, List<RunListener> listeners, WarmupState state,
			RunSettings settings, Timing timing) {
		this.client = client;
		this.replayer = replayer;
		this.listeners = new RunListeners(listeners);
		this.state = state;
		this.settings = settings;
		this.timing = timing;
	}

	/**
	 * Runs through the gateway.
	 * @param id names the run
	 * @param trigger what the run is for
	 * @param plan what to send, not empty
	 * @param tasks the tasks that were run before
	 * @param self the sender
	 * @param gateway the gateway
	 * @param budget how long to wait for a route; restarted with {@code limit} once there
	 * is one
	 * @param limit how long to send from then on
	 * @return the record
	 */
	Mono<RunRecord> run(String id, Trigger trigger, Plan plan, List<TaskRecord> tasks, Instance self, Gateway gateway,
			Budget budget, Duration limit) {
		return Mono.defer(() -> {
			RunRecorder recorder = new RunRecorder(id, trigger, gateway.id(), plan, this.settings.criteria(),
					this.timing.clock());
			recorder.tasks(tasks);
			Session session = new Session(plan.catalog(), gateway.uri(),
					() -> this.client.claim(gateway, self.instanceId(), ClaimScope.REPLAY, id), self.service(), budget);
			return Mono
				.usingWhen(observe(id, recorder),
						(observation) -> new Replay(plan, self, gateway, session, limit, recorder, observation)
							.execute(),
						(observation) -> Mono.fromRunnable(observation::close))
				.onErrorResume(NoRouteException.class,
						(noRoute) -> Mono.fromSupplier(() -> recorder.unreached(noRoute.getMessage())));
		});
	}

	/** Where listeners may block. */
	private Mono<Observation> observe(String id, RunRecorder recorder) {
		return Mono.fromSupplier(() -> this.listeners.begin(id, recorder)).subscribeOn(Schedulers.boundedElastic());
	}

	/** One replay of a plan through one gateway. */
	private final class Replay {

		private final Plan plan;

		private final Instance self;

		private final Gateway gateway;

		private final Session session;

		private final Duration limit;

		private final RunRecorder recorder;

		private final Observation observation;

		private final Rounds rounds;

		private final CpuShare cpu;

		private final ReplayThrottle throttle;

		Replay(Plan plan, Instance self, Gateway gateway, Session session, Duration limit, RunRecorder recorder,
				Observation observation) {
			RunSettings settings = GatewayRun.this.settings;
			Timing timing = GatewayRun.this.timing;
			this.plan = plan;
			this.self = self;
			this.gateway = gateway;
			this.session = session;
			this.limit = limit;
			this.recorder = recorder;
			this.observation = observation;
			this.rounds = new Rounds(plan, settings, recorder,
					() -> JvmReading.now(self.instanceId(), settings.processors()), timing);
			this.cpu = new CpuShare(settings.maxCpuShare(), settings.processors(), () -> JvmFigures.now().cpu(),
					timing.nanoTime());
			this.throttle = new ReplayThrottle(session.budget(), timing.scheduler(), this.cpu);
		}

		Mono<RunRecord> execute() {
			return waitForRoute().concatWith(replayRounds())
				.doOnNext(this::note)
				.then(endObservation())
				.then(Mono.fromSupplier(this::close));
		}

		/** Sends the first scenario until the instance answers its first request. */
		private Flux<Outcome> waitForRoute() {
			return checkRegistration().doOnNext((accepted) -> this.observation.attempt())
				.flatMapMany(this::attempt)
				.doOnNext(this.observation::alone)
				.retryWhen(Retries.untilRouted(this.session.budget(), GatewayRun.this.timing.scheduler()));
		}

		/** {@code false} for a gateway without this library, which cannot be asked. */
		private Mono<Boolean> checkRegistration() {
			return Mono.defer(() -> GatewayRun.this.client.checkRegistration(this.gateway, this.session.claim()))
				.flatMap((check) -> (check instanceof RegistrationCheck.Pending pending)
						? Mono.error(new NoRouteException(pending.reason()))
						: Mono.just(check instanceof RegistrationCheck.Accepted));
		}

		/**
		 * An attempt that finds a route restarts the budget for the replay. One that does
		 * not sends only {@code finally} requests from then on: the request may have
		 * reached the service, and only its answer been lost.
		 */
		private Flux<Outcome> attempt(boolean accepted) {
			return Flux.defer(() -> {
				Budget budget = this.session.budget().branch();
				Scenario first = this.plan.round(0).get(0);
				return GatewayRun.this.replayer.replay(first, this.session.within(budget))
					.defaultIfEmpty(new Outcome.Cut(first, first.requests().get(0)))
					.switchOnFirst((signal, outcomes) -> Optional.ofNullable(signal.get())
						.flatMap((outcome) -> NoRouteException.in(outcome, this.gateway, accepted))
						.map((noRoute) -> outcomes.doFirst(budget::stop).thenMany(Flux.<Outcome>error(noRoute)))
						.orElseGet(() -> outcomes.doFirst(() -> this.session.budget().restart(this.limit))));
			});
		}

		private Flux<Outcome> replayRounds() {
			return Flux.range(0, GatewayRun.this.settings.rounds(this.plan) + 1)
				.takeWhile((round) -> !this.session.budget().isOver() && this.rounds.has(round))
				.concatMap((round) -> ((round == 0) ? firstRound() : replay(round))
					.concatWith(((round + 1) % DRY_RUN_PERIOD == 0) ? reportDryRun() : Mono.empty()), 0);
		}

		/** Without its first scenario, which found the route. */
		private Flux<Outcome> firstRound() {
			return replay(0).doOnNext(this.observation::alone).doOnComplete(this.observation::together);
		}

		private Flux<Outcome> replay(int round) {
			return Flux.fromIterable(this.rounds.round(round))
				.skip((round == 0) ? 1 : 0)
				.flatMap(
						(scenario) -> this.throttle.next()
							.thenMany(GatewayRun.this.replayer.replay(scenario, this.session)),
						this.rounds.concurrency(round));
		}

		/** Takes no time beyond the budget, and stops with the run. */
		private Mono<Outcome> reportDryRun() {
			Budget budget = this.session.budget();
			return Mono.defer(() -> budget.isOver() ? Mono.empty()
					: GatewayRun.this.client
						.reportDryRun(this.gateway,
								new RunReport(this.self.service(), this.self.instanceId(), Phase.WARMING,
										GatePosition.CLOSED, this.recorder.finished()))
						.take(budget.remaining(), GatewayRun.this.timing.scheduler())
						.takeUntilOther(budget.whenStopped())
						.then(Mono.empty()));
		}

		private void note(Outcome outcome) {
			GatewayRun.this.state.underWay();
			this.throttle.note(outcome);
			this.rounds.note(outcome);
			this.recorder.add(outcome);
			GatewayRun.this.listeners.onOutcome(outcome);
		}

		private Mono<Void> endObservation() {
			return (this.observation == Observation.NONE) ? Mono.empty()
					: Mono.<Void>fromRunnable(this.observation::ended).subscribeOn(Schedulers.boundedElastic());
		}

		private RunRecord close() {
			this.cpu.finding().ifPresent(this.recorder::found);
			if (this.session.budget().isStopped()) {
				this.recorder.stopped();
			}
			return this.recorder.finished();
		}

	}

}
