package dev.warmup.run;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.warmup.catalog.Scenario;
import dev.warmup.catalog.Trigger;
import dev.warmup.locate.Gateway;
import dev.warmup.plan.Plan;
import dev.warmup.record.Instance;
import dev.warmup.record.Phase;
import dev.warmup.record.RunRecord;
import dev.warmup.record.RunRecorder;
import dev.warmup.replay.Budget;
import dev.warmup.replay.Outcome;
import dev.warmup.replay.Replayer;
import dev.warmup.replay.Session;
import dev.warmup.report.Reporter;
import dev.warmup.report.RunReport;
import dev.warmup.traffic.WarmupClaim;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * One run's way through one gateway: waits until a service answers the first request,
 * replays the plan round by round, records, and reports to the gateway. Thread-safe.
 */
public final class Passage {

	private final Replayer replayer;

	private final Reporter reporter;

	private final int concurrency;

	private final RunListener listeners;

	private final WarmupState state;

	private final Clock clock;

	private final Scheduler scheduler;

	/**
	 * Creates a passage.
	 * @param replayer sends
	 * @param reporter tells the gateway
	 * @param concurrency how many scenarios are replayed side by side, at least 1
	 * @param listeners are told of each outcome
	 * @param state is told when the first answer is there
	 * @param clock the source of time for records
	 * @param scheduler the source of time for waiting
	 */
	public Passage(Replayer replayer, Reporter reporter, int concurrency, List<RunListener> listeners,
			WarmupState state, Clock clock, Scheduler scheduler) {
		this.replayer = replayer;
		this.reporter = reporter;
		this.concurrency = concurrency;
		this.listeners = new RunListeners(listeners);
		this.state = state;
		this.clock = clock;
		this.scheduler = scheduler;
	}

	/**
	 * Goes through.
	 * @param id names the run
	 * @param trigger what the run is for
	 * @param plan what to send, not empty
	 * @param self who sends
	 * @param gateway what to go through
	 * @param budget how long it may wait for the way; it begins anew once that is found
	 * @param limit how long it may send from then on
	 * @return the record, once reported
	 */
	Mono<RunRecord> run(String id, Trigger trigger, Plan plan, Instance self, Gateway gateway, Budget budget,
			Duration limit) {
		return Mono.defer(() -> {
			RunRecorder recorder = new RunRecorder(id, trigger, gateway.id(), plan, this.clock);
			Session session = new Session(plan.catalog(), gateway.uri(),
					new WarmupClaim(self.instanceId(), id).format(), budget);
			return outcomes(plan, session, gateway, limit).doOnNext((outcome) -> {
				this.state.underWay();
				recorder.add(outcome);
				this.listeners.onOutcome(outcome);
			})
				.then(Mono.fromSupplier(() -> finished(recorder, budget)))
				.onErrorResume(NoWayException.class,
						(noWay) -> Mono.fromSupplier(() -> recorder.unreached(noWay.getMessage())))
				.flatMap((run) -> report(self, gateway, run).thenReturn(run));
		});
	}

	private static RunRecord finished(RunRecorder recorder, Budget budget) {
		if (budget.isStopped()) {
			recorder.stopped();
		}
		return recorder.finished();
	}

	private Flux<Outcome> outcomes(Plan plan, Session session, Gateway gateway, Duration limit) {
		Flux<Outcome> way = attempt(plan.round(0).get(0), session, gateway, limit)
			.retryWhen(new Waiting(session.budget(), this.scheduler));
		Flux<Outcome> rounds = Flux.range(0, plan.rounds())
			.takeWhile((round) -> !session.budget().isOver())
			.concatMap((round) -> Flux.fromIterable(plan.round(round))
				.skip((round == 0) ? 1 : 0)
				.flatMap((scenario) -> this.replayer.replay(scenario, session), this.concurrency), 0);
		return way.concatWith(rounds);
	}

	/**
	 * An attempt that finds the way starts the clock of the replay: it must not run while
	 * there is nobody to answer. One that does not sends nothing more but what cleans up:
	 * the request may have reached the service, and only its answer been lost.
	 */
	private Flux<Outcome> attempt(Scenario scenario, Session session, Gateway gateway, Duration limit) {
		return Flux.defer(() -> {
			Budget attempt = session.budget().share(1);
			return this.replayer.replay(scenario, session.within(attempt))
				.switchOnFirst((signal, outcomes) -> noWay(signal.get(), gateway)
					.map((problem) -> outcomes.doFirst(attempt::stop)
						.thenMany(Flux.<Outcome>error(new NoWayException(problem))))
					.orElseGet(() -> outcomes.doFirst(() -> {
						attempt.restart(limit);
						session.budget().restart(limit);
					})));
		});
	}

	/** What stands in the way, or empty when a service has answered. */
	private static Optional<String> noWay(@Nullable Outcome outcome, Gateway gateway) {
		if (outcome instanceof Outcome.Cut) {
			return Optional.of(problem(outcome, gateway, "no answer before the budget was spent"));
		}
		if (outcome instanceof Outcome.Failed failed) {
			return Optional.of(problem(outcome, gateway, failed.problem()));
		}
		if (outcome instanceof Outcome.Unexpected unexpected && !unexpected.byService()) {
			return Optional.of(problem(outcome, gateway, unexpected.problem()));
		}
		return Optional.empty();
	}

	private static String problem(Outcome outcome, Gateway gateway, String problem) {
		return "%s %s through gateway %s: %s".formatted(outcome.request().method(), outcome.request().path().source(),
				gateway.id(), problem);
	}

	private Mono<Void> report(Instance self, Gateway gateway, RunRecord run) {
		Phase phase = Phase.after(List.of(run.verdict())).orElse(Phase.COLD);
		return this.reporter.report(gateway, new RunReport(self.service(), self.instanceId(), phase, run));
	}

}
