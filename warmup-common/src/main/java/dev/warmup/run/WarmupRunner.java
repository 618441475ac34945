package dev.warmup.run;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import dev.warmup.Gateway;
import dev.warmup.GatewayLocator;
import dev.warmup.catalog.Catalog;
import dev.warmup.catalog.CatalogSource;
import dev.warmup.protocol.Gate;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.UserActivity;
import dev.warmup.protocol.UserReadiness;
import dev.warmup.protocol.Verdict;
import dev.warmup.run.Retries.NoRouteException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.util.AlternativeJdkIdGenerator;

/**
 * Executes warm-up runs, one at a time, each from its trigger to its verdict:
 * {@link #execute} is the table of contents, and the steps follow in its order. While the
 * instance is RAMPING, a second one may go through a gateway that has started: its users
 * wait.
 * <p>
 * Every run ends in a verdict, whatever gateways and registry do, unless it is canceled.
 * It runs its tasks and waits for gateways no longer than its budget, of which the tasks
 * get at most half, for a route through them at most half as long again, and then sends
 * requests no longer than that again, with the waits that busy gateways request (429) on
 * top of it, at most 20 times as long; where users come meanwhile, no longer than the
 * ramp's window; and cleans up. {@link StartupRun} bounds how long the gate stays closed
 * meanwhile. Thread-safe.
 */
public final class WarmupRunner {

	private static final String NO_GATEWAYS = "warmup.gateway.url is not set, and there is no discovery client";

	private static final Logger logger = LoggerFactory.getLogger(WarmupRunner.class);

	/** Does not block, as {@code UUID.randomUUID()} may. */
	private static final AlternativeJdkIdGenerator IDS = new AlternativeJdkIdGenerator();

	/** The limit of one gateway lookup, so that one that hangs is retried. */
	private static final Duration LOCATE_LIMIT = Duration.ofSeconds(10);

	/**
	 * So many warm the instance at once. Others are warmed when they request it, at their
	 * start and when they are idle.
	 */
	private static final int MAX_GATEWAYS = 3;

	private final Instance.Source instance;

	private final CatalogSource catalogs;

	private final GatewayLocator gateways;

	private final WarmupTasks tasks;

	private final GatewayRun.Shared shared;

	private final Gate gate;

	private final GatewayReporter reporter;

	private final UserActivity users;

	/** The budgets of the runs under way. */
	private final List<Budget> underWay = new CopyOnWriteArrayList<>();

	/** That of the last run through all gateways. */
	private volatile @Nullable Ramp ramp;

	/** When the gate opened. */
	private volatile long openedAt;

	private boolean stopped;

	WarmupRunner(Instance.Source instance, CatalogSource catalogs, GatewayLocator gateways, WarmupTasks tasks,
			GatewayRun.Shared shared, Gate gate, UserReadiness readiness, UserActivity users) {
		this.instance = instance;
		this.catalogs = catalogs;
		this.gateways = gateways;
		this.tasks = tasks;
		this.shared = shared;
		this.gate = gate;
		this.reporter = new GatewayReporter(instance, gateways, shared.client(), gate, readiness, shared.timing());
		this.users = users;
	}

	/**
	 * Runs once through the gateways, three at most.
	 * @return a record by gateway, at least one; empty when another run is under way, or
	 * when it is canceled; never fails
	 */
	public Mono<List<RunRecord>> run(Trigger trigger) {
		return Mono.defer(() -> {
			Budget budget = begin(false);
			return (budget != null) ? untilFree(execute(trigger, budget), budget) : Mono.empty();
		});
	}

	/** Starts a run in the background, unless another one is under way. */
	public boolean start(Trigger trigger) {
		return start(false, (budget) -> execute(trigger, budget));
	}

	/**
	 * Starts a run in the background that warms one gateway: it is recorded and reported
	 * as any other, but runs no tasks, and does not change the instance's phase or gate.
	 * To be called only after the instance itself was warmed.
	 * @return the run's id, or empty when none was started, since another one is under
	 * way; while the instance is RAMPING and the gateway has just started, since two are
	 */
	public Optional<String> startThrough(Trigger trigger, Gateway gateway) {
		String id = newId();
		return start(trigger == Trigger.STARTUP && this.shared.state().phase().phase() == Phase.RAMPING,
				(budget) -> executeThrough(id, trigger, gateway, budget)) ? Optional.of(id) : Optional.empty();
	}

	private boolean start(boolean besideAnother, Function<Budget, Mono<?>> run) {
		Budget budget = begin(besideAnother);
		if (budget != null) {
			untilFree(run.apply(budget), budget).subscribe();
		}
		return budget != null;
	}

	/**
	 * Whether the catalog has anything for this service; fails when it cannot be read.
	 */
	public Mono<Boolean> hasWork(Trigger trigger) {
		return loadPlan(trigger).map((plan) -> !plan.isEmpty());
	}

	/** Whether users wait for a run through all gateways, which is to find no other. */
	public boolean isFirstRunDue() {
		WarmupState state = this.shared.state();
		Phase phase = state.phase().phase();
		return (phase == Phase.COLD && state.lastRunEnd().isEmpty()) || (phase == Phase.FAILED && !this.gate.isOpen());
	}

	/** Whether a run is under way, from its start until it is reported. */
	public boolean isRunning() {
		return !this.underWay.isEmpty();
	}

	/** Lets runs begin again after {@link #stop()}. */
	synchronized void resume() {
		this.stopped = false;
		this.reporter.resume();
	}

	/**
	 * Ends the runs under way, if any, and lets no other begin: they still send the
	 * {@code finally} requests that are due, and leave phase and gate as they are.
	 * @return cancels those among them that go on
	 */
	Disposable stop() {
		List<Budget> stopping;
		synchronized (this) {
			this.stopped = true;
			this.reporter.stop();
			stopping = List.copyOf(this.underWay);
		}
		stopping.forEach(Budget::stop);
		return () -> stopping.forEach(Budget::cancel);
	}

	/** Announces that the gate is open, unless gateways know, or this was stopped. */
	void announceLater() {
		this.reporter.announceLater();
	}

	/**
	 * Announces to every gateway that this instance is about to stop.
	 * @return completes when the web server may stop; never fails
	 */
	Mono<Void> deregister() {
		return this.reporter.deregister();
	}

	private Mono<List<RunRecord>> execute(Trigger trigger, Budget budget) {
		return loadPlan(trigger)
			.flatMapMany((plan) -> (plan.isEmpty() || isWithoutGateways())
					? Flux.just(RunResult.of(skipped(newId(), trigger, this.gateways.description(), plan)))
					: runTasks(budget).flatMapMany((findings) -> locateGateways(budget)
						.flatMapMany((found) -> replayThroughEach(found, trigger, plan, findings, budget))
						.transform((results) -> orUnrouted(results, trigger, plan, findings))))
			.onErrorResume((error) -> Mono
				.fromSupplier(() -> RunResult.of(brokenOff(newId(), trigger, this.gateways.description(), error))))
			.doOnNext((result) -> this.shared.state().ended(result.run()))
			.collectList()
			.flatMap((results) -> complete(results, budget));
	}

	private Mono<Void> executeThrough(String id, Trigger trigger, Gateway gateway, Budget budget) {
		return loadPlan(trigger)
			.flatMap((plan) -> plan.isEmpty() ? Mono.just(skipped(id, trigger, gateway.id(), plan))
					: GatewayRun.run(this.shared, plan, recorder(id, trigger, gateway.id(), plan, List.of()),
							this.instance.get(),
							new GatewayRun.Target(gateway, budget, ramp(trigger, List.of()), false)))
			.onErrorResume((error) -> Mono.fromSupplier(() -> brokenOff(id, trigger, gateway.id(), error)))
			.doOnNext(this.shared.state()::ended)
			.flatMap((run) -> this.reporter.report(new RunResult(run, gateway), Gate.Position.CLOSED))
			.then();
	}

	private Mono<Plan> loadPlan(Trigger trigger) {
		return Mono.fromCallable(this.catalogs::current)
			.subscribeOn(Schedulers.boundedElastic())
			.timeout(this.shared.settings().budget(), this.shared.timing().scheduler())
			.map((catalog) -> Plan.of(catalog, this.instance.get().service(), trigger,
					this.shared.settings().minRepetitions()));
	}

	private RunRecord skipped(String id, Trigger trigger, String gateway, Plan plan) {
		return recorder(id, trigger, gateway, plan, List.of())
			.skipped(plan.isEmpty() ? plan.catalog().location() + nothing(plan.catalog(), trigger) : NO_GATEWAYS);
	}

	private String nothing(Catalog catalog, Trigger trigger) {
		if (catalog.scenarios().isEmpty()) {
			return " is missing or has no scenarios";
		}
		String service = this.instance.get().service();
		boolean otherwise = Arrays.stream(Trigger.values())
			.anyMatch((other) -> !catalog.scenariosFor(service, other).isEmpty());
		return " has no scenario for " + service
				+ (otherwise ? " with 'when: %s'".formatted(trigger.replays().name().toLowerCase(Locale.ROOT)) : "");
	}

	/** A gate that a failure keeps closed opens for a run that ended warm only. */
	private boolean isWithoutGateways() {
		return !this.gateways.isAvailable() && this.gate.opensOnFailure();
	}

	/** Once for all gateways; returns a finding for each that failed. */
	private Mono<List<String>> runTasks(Budget budget) {
		return this.tasks.run(budget.within(budget.remaining().dividedBy(2)));
	}

	/**
	 * At least one; fails with {@link NoRouteException} within the budget. The routes
	 * through gateways that are found late still have half of it.
	 */
	private Mono<List<Gateway>> locateGateways(Budget budget) {
		String wanted = this.gateways.description();
		Duration half = this.shared.settings().budget().dividedBy(2);
		return Mono
			.defer(() -> this.gateways.locate()
				.timeout(budget.atMost(LOCATE_LIMIT), unanswered(wanted, budget), this.shared.timing().scheduler())
				.takeUntilOther(budget.whenStopped().then(unanswered(wanted, budget))))
			.onErrorMap((error) -> (error instanceof NoRouteException) ? error
					: new NoRouteException("cannot look for %s: %s".formatted(wanted, error)))
			.filter((found) -> !found.isEmpty())
			.switchIfEmpty(Mono
				.error(() -> new NoRouteException(this.gateways.isAvailable() ? "there is no " + wanted : NO_GATEWAYS)))
			.retryWhen(Retries.waitingFor(Retries.ROUTE, budget, this.shared.timing().scheduler()))
			.doOnNext((found) -> budget.atLeast(half));
	}

	private static Mono<List<Gateway>> unanswered(String wanted, Budget budget) {
		return Mono.error(() -> new NoRouteException("the look-up of %s had no answer in time".formatted(wanted),
				budget.isOver()));
	}

	private Flux<RunResult> orUnrouted(Flux<RunResult> results, Trigger trigger, Plan plan, List<String> findings) {
		RunRecorder unrouted = recorder(newId(), trigger, this.gateways.description(), plan, findings);
		return results.onErrorResume(NoRouteException.class,
				(noRoute) -> Mono.fromSupplier(() -> RunResult.of(unrouted.unreached(noRoute.getMessage()))));
	}

	/**
	 * Side by side, so that one that hangs delays no other.
	 */
	private Flux<RunResult> replayThroughEach(List<Gateway> located, Trigger trigger, Plan plan, List<String> findings,
			Budget budget) {
		List<Gateway> found = located.subList(0, Math.min(MAX_GATEWAYS, located.size()));
		if (found.size() < located.size()) {
			logger.info(
					"The run goes through {} of {} gateways; the others request runs when they start, and when they are idle",
					found.size(), located.size());
		}
		Ramp ramp = ramp(trigger, located);
		this.ramp = ramp;
		AtomicInteger pending = new AtomicInteger(found.size());
		Duration left = budget.remaining();
		return Flux.fromIterable(found).flatMapSequential((gateway) -> {
			String id = newId();
			return Mono
				.defer(() -> GatewayRun.run(this.shared, plan, recorder(id, trigger, gateway.id(), plan, findings),
						this.instance.get(), new GatewayRun.Target(gateway, budget.within(left), ramp, true)))
				.onErrorResume((error) -> Mono.fromSupplier(() -> brokenOff(id, trigger, gateway.id(), error)))
				.flatMap((record) -> openUnlessLast(record, ramp, pending, budget)
					.thenReturn(new RunResult(record, gateway)));
		}, MAX_GATEWAYS);
	}

	/** A gateway that hangs does not keep users from what was warmed through another. */
	private static Mono<Void> openUnlessLast(RunRecord run, Ramp ramp, AtomicInteger pending, Budget budget) {
		return (pending.decrementAndGet() > 0 && run.verdict() != Verdict.FAILED && !budget.isStopped())
				? ramp.start(run) : Mono.empty();
	}

	/**
	 * Opens the gate when users have waited for long enough; a run under way goes on
	 * between their requests.
	 * @return whether this opened it
	 */
	boolean openAtDeadline() {
		boolean opened = opens(this.gate.onDeadline());
		Ramp ramp = this.ramp;
		if (opened && ramp != null) {
			ramp.overdue();
		}
		return opened;
	}

	private boolean opens(boolean opened) {
		if (opened) {
			this.openedAt = this.shared.timing().now();
		}
		return opened;
	}

	/**
	 * Only a startup run has one, and a cache is trained by all of it. The gate may have
	 * opened shortly before: at its deadline, or after a run that failed. An instance
	 * that has had users for longer was warmed by them, and one that is degraded has its
	 * full share.
	 */
	private Ramp ramp(Trigger trigger, List<Gateway> through) {
		Duration window = this.shared.settings().rampWindow();
		boolean startup = trigger == this.shared.settings().startupTrigger() && !through.isEmpty();
		boolean isNew = !this.gate.isOpen() || (this.shared.state().phase().phase() != Phase.DEGRADED
				&& this.shared.timing().now() - this.openedAt < window.toNanos());
		boolean first = this.shared.state().runs().stream().allMatch((run) -> run.sent() == 0);
		return new Ramp(() -> startup && first && this.underWay.size() == 1,
				startup && isNew && trigger != Trigger.TRAIN && this.gate.isEnabled() && !window.isZero(),
				this.gate::isOpen, this::openEarly, (soFar) -> this.reporter.ramping(soFar, through), this.users,
				this.shared.timing());
	}

	private boolean openEarly() {
		opens(this.gate.onDeadline());
		boolean open = this.gate.isOpen();
		if (open) {
			this.shared.state().ramping();
		}
		return open;
	}

	/**
	 * First the phase and the gate, then the reports. A run that was stopped leaves phase
	 * and gate as they are; one with nothing to send leaves the phase, and the gate if it
	 * is not the startup run.
	 */
	private Mono<List<RunRecord>> complete(List<RunResult> results, Budget budget) {
		List<RunRecord> runs = results.stream().map(RunResult::run).toList();
		return Mono.defer(() -> {
			if (budget.isStopped()) {
				return this.reporter.report(results, Gate.Position.CLOSED).then();
			}
			Optional<Phase> left = this.shared.state().completed(runs);
			if (left.isPresent() || runs.get(0).trigger() == this.shared.settings().startupTrigger()) {
				opens(this.gate.onCompleted(reached(runs)));
			}
			return this.reporter.ended(results, budget);
		}).then(Mono.just(runs));
	}

	/**
	 * The phase by those gateways that can send users: one that cannot be reached does
	 * not keep a gate closed that others would open.
	 */
	private static Optional<Phase> reached(List<RunRecord> runs) {
		List<Verdict> reached = runs.stream().filter((run) -> run.sent() > 0).map(RunRecord::verdict).toList();
		return Phase.after(reached.isEmpty() ? runs.stream().map(RunRecord::verdict).toList() : reached);
	}

	/** Whatever happens, a run ends in a verdict, and the application goes on. */
	private RunRecord brokenOff(String id, Trigger trigger, String gateway, Throwable error) {
		logger.error("The warm-up run was aborted; the application continues", error);
		return recorder(id, trigger, gateway, Plan.EMPTY, List.of()).unreached("the run was aborted: " + error);
	}

	private synchronized @Nullable Budget begin(boolean besideAnother) {
		if (this.stopped || this.underWay.size() > (besideAnother ? 1 : 0)) {
			return null;
		}
		Budget budget = Budget.start(this.shared.settings().budget(), this.shared.timing().nanoTime());
		this.underWay.add(budget);
		return budget;
	}

	/** Frees the runner before the run completes, so that the next may follow at once. */
	private <T> Mono<T> untilFree(Mono<T> run, Budget budget) {
		return Mono.using(() -> run, (started) -> started.takeUntilOther(budget.whenCanceled()),
				(ended) -> this.underWay.remove(budget));
	}

	private RunRecorder recorder(String id, Trigger trigger, String gateway, Plan plan, List<String> found) {
		return new RunRecorder(id, trigger, gateway, plan, found, this.shared.settings().criteria(),
				this.shared.timing().clock());
	}

	static String newId() {
		return IDS.generateId().toString();
	}

	/** A run, and the gateway it went through, to report it to, if any. */
	record RunResult(RunRecord run, @Nullable Gateway gateway) {

		static RunResult of(RunRecord run) {
			return new RunResult(run, null);
		}

	}

}
