package dev.warmup.run;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

import dev.warmup.Gateway;
import dev.warmup.GatewayLocator;
import dev.warmup.catalog.Catalog;
import dev.warmup.catalog.CatalogSource;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.InstanceSource;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.TaskRecord;
import dev.warmup.protocol.Trigger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.util.AlternativeJdkIdGenerator;

/**
 * Carries out runs, one at a time. Every run concludes, whatever gateways and registry
 * do: it runs its tasks and waits for its ways no longer than its budget, of which the
 * tasks get at most half, and sends no longer than that again, but for the waits that
 * busy gateways ask for (429), at most 20 times as long, and for what cleans up. So long
 * at most a closed gate may stay closed, if the policy is to open it. Thread-safe.
 */
public final class WarmupRunner {

	private static final Logger logger = LoggerFactory.getLogger(WarmupRunner.class);

	/** Does not block, as {@code UUID.randomUUID()} may. */
	private static final AlternativeJdkIdGenerator IDS = new AlternativeJdkIdGenerator();

	private final InstanceSource instance;

	private final CatalogSource catalogs;

	private final GatewaySearch gateways;

	private final WarmupTasks tasks;

	private final GatewayRun passage;

	private final RunCompletion conclusion;

	private final RunSettings settings;

	private final Timing timing;

	private final AtomicReference<@Nullable Budget> current = new AtomicReference<>();

	/**
	 * Creates a runner.
	 * @param instance who this application is, asked for when a run starts
	 * @param catalogs what to send
	 * @param gateways what to go through
	 * @param tasks what to do before anything is sent
	 * @param passage carries a plan through one gateway
	 * @param conclusion ends a run
	 * @param settings how far a run may go
	 * @param timing the source of time
	 */
	public WarmupRunner(InstanceSource instance, CatalogSource catalogs, GatewayLocator gateways, WarmupTasks tasks,
			GatewayRun passage, RunCompletion conclusion, RunSettings settings, Timing timing) {
		this.instance = instance;
		this.catalogs = catalogs;
		this.gateways = new GatewaySearch(gateways, timing.scheduler());
		this.tasks = tasks;
		this.passage = passage;
		this.conclusion = conclusion;
		this.settings = settings;
		this.timing = timing;
	}

	/**
	 * Runs once through every gateway, and before, where there is something to send, the
	 * tasks, once for all gateways.
	 * @param trigger what the run is for
	 * @return a record by gateway, at least one; empty when another run is under way;
	 * never fails
	 */
	public Mono<List<RunRecord>> run(Trigger trigger) {
		return Mono.defer(() -> {
			Budget budget = Budget.start(this.settings.budget(), this.timing.nanoTime());
			return this.current.compareAndSet(null, budget) ? run(trigger, budget) : Mono.empty();
		});
	}

	/**
	 * Starts a run in the background.
	 * @param trigger what the run is for
	 * @return {@code false} when another run is under way, and none was started
	 */
	public boolean start(Trigger trigger) {
		Budget budget = Budget.start(this.settings.budget(), this.timing.nanoTime());
		if (!this.current.compareAndSet(null, budget)) {
			return false;
		}
		run(trigger, budget).subscribe();
		return true;
	}

	/**
	 * Starts a run in the background through one gateway, for that gateway's sake: it is
	 * recorded and reported as any, but leaves the instance's phase and gate alone, and
	 * runs no tasks. Not to be called before the instance was warmed itself.
	 * @param trigger what the run is for
	 * @param gateway what to go through
	 * @return the run's id, or empty when another run is under way, and none was started
	 */
	public Optional<String> startThrough(Trigger trigger, Gateway gateway) {
		Budget budget = Budget.start(this.settings.budget(), this.timing.nanoTime());
		if (!this.current.compareAndSet(null, budget)) {
			return Optional.empty();
		}
		String id = IDS.generateId().toString();
		Mono.using(() -> budget, (started) -> carryOut(id, trigger, gateway, started),
				(ended) -> this.current.set(null))
			.subscribe();
		return Optional.of(id);
	}

	/**
	 * Whether a run would send anything.
	 * @param trigger what the run is for
	 * @return {@code false} when the catalog has nothing for this service; fails when it
	 * cannot be read
	 */
	public Mono<Boolean> hasWork(Trigger trigger) {
		return plan(trigger).map((plan) -> !plan.isEmpty());
	}

	private Mono<Void> carryOut(String id, Trigger trigger, Gateway gateway, Budget budget) {
		return plan(trigger)
			.flatMap((plan) -> plan.isEmpty() ? Mono.just(skip(trigger, plan, this.instance.get()))
					: this.passage.run(id, trigger, plan, List.of(), this.instance.get(), gateway, budget,
							this.settings.budget()))
			.onErrorResume((error) -> Mono.fromSupplier(() -> brokenOff(trigger, error)))
			.doOnNext(this.conclusion::record)
			.flatMap((run) -> this.conclusion.report(RunResult.through(gateway, run)));
	}

	private Mono<Plan> plan(Trigger trigger) {
		return Mono.fromCallable(this.catalogs::current)
			.subscribeOn(Schedulers.boundedElastic())
			.map((catalog) -> Plan.of(catalog, this.instance.get().service(), trigger, this.settings.minRepetitions()));
	}

	/**
	 * Whether a run is under way.
	 * @return {@code true} from a run's start until it is reported
	 */
	public boolean isRunning() {
		return this.current.get() != null;
	}

	/**
	 * Ends the run under way, if any: it sends only what cleans up, and leaves phase and
	 * gate as they are.
	 */
	public void stop() {
		Optional.ofNullable(this.current.get()).ifPresent(Budget::stop);
	}

	/** Frees the runner before it completes, so that the next run may follow at once. */
	private Mono<List<RunRecord>> run(Trigger trigger, Budget budget) {
		return Mono.using(() -> budget, (started) -> carryOut(trigger, started), (ended) -> this.current.set(null));
	}

	private Mono<List<RunRecord>> carryOut(Trigger trigger, Budget budget) {
		return Mono.fromCallable(this.catalogs::current)
			.subscribeOn(Schedulers.boundedElastic())
			.timeout(this.settings.budget(), this.timing.scheduler())
			.flatMapMany((catalog) -> carryOut(trigger, catalog, this.instance.get(), budget))
			.onErrorResume((error) -> Mono.fromSupplier(() -> RunResult.nowhere(brokenOff(trigger, error))))
			.doOnNext((passed) -> this.conclusion.record(passed.run()))
			.collectList()
			.flatMap((passed) -> this.conclusion.of(passed, budget.isStopped())
				.thenReturn(passed.stream().map(RunResult::run).toList()));
	}

	private Flux<RunResult> carryOut(Trigger trigger, Catalog catalog, Instance self, Budget budget) {
		Plan plan = Plan.of(catalog, self.service(), trigger, this.settings.minRepetitions());
		if (plan.isEmpty()) {
			return Flux.just(RunResult.nowhere(skip(trigger, plan, self)));
		}
		return this.tasks.run(budget.share(2))
			.flatMapMany((done) -> throughGateways(trigger, plan, done, self, budget));
	}

	private Flux<RunResult> throughGateways(Trigger trigger, Plan plan, List<TaskRecord> done, Instance self,
			Budget budget) {
		RunRecorder nowhere = recorder(trigger, plan);
		nowhere.tasks(done);
		return this.gateways.within(budget)
			.flatMapMany((found) -> throughAll(found, trigger, plan, done, self, budget))
			.onErrorResume(NoRouteException.class,
					(noWay) -> Mono.fromSupplier(() -> RunResult.nowhere(nowhere.unreached(noWay.getMessage()))));
	}

	/** One after the other, each with an equal share of the budget. */
	private Flux<RunResult> throughAll(List<Gateway> found, Trigger trigger, Plan plan, List<TaskRecord> done,
			Instance self, Budget budget) {
		return Flux.range(0, found.size())
			.concatMap((i) -> this.passage
				.run(IDS.generateId().toString(), trigger, plan, done, self, found.get(i),
						budget.share(found.size() - i), this.settings.budget().dividedBy(found.size()))
				.doOnNext((run) -> budget.extend(run.took()))
				.map((run) -> RunResult.through(found.get(i), run)), 1);
	}

	private RunRecord skip(Trigger trigger, Plan plan, Instance self) {
		return recorder(trigger, plan)
			.skipped("%s has no scenario for %s".formatted(plan.catalog().location(), self.service()));
	}

	/** Whatever happens, a run ends in a verdict, and the application goes on. */
	private RunRecord brokenOff(Trigger trigger, Throwable error) {
		logger.error("The warm-up run broke off; the application goes on", error);
		return recorder(trigger, Plan.EMPTY).unreached("the run broke off: " + error);
	}

	private RunRecorder recorder(Trigger trigger, Plan plan) {
		return new RunRecorder(IDS.generateId().toString(), trigger, this.gateways.description(), plan,
				this.settings.steadiness(), this.timing.clock());
	}

}
