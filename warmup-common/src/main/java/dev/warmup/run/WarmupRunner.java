package dev.warmup.run;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;

import dev.warmup.Gateway;
import dev.warmup.GatewayLocator;
import dev.warmup.catalog.Catalog;
import dev.warmup.catalog.CatalogSource;
import dev.warmup.protocol.Gate;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.RunReport;
import dev.warmup.protocol.SignedClaim;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.UserActivity;
import dev.warmup.protocol.UserReadiness;
import dev.warmup.protocol.Verdict;
import dev.warmup.run.Retries.NoRouteException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
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

	/** Users may come meanwhile. */
	private static final Duration RELOCATE_LIMIT = Duration.ofSeconds(2);

	/**
	 * So many warm the instance at once. Others are warmed when they request it, at their
	 * start and when they are idle.
	 */
	private static final int MAX_GATEWAYS = 3;

	/** How long the first gateway has the instance for itself at most. */
	private static final Duration MAX_ALONE = Duration.ofSeconds(5);

	/**
	 * How long gateways that could not be informed yet are waited for, and an instance
	 * that does not accept users.
	 */
	private static final Duration ANNOUNCE_LIMIT = Duration.ofSeconds(10);

	private static final Duration ANNOUNCE_PAUSE = Duration.ofSeconds(1);

	/** For a health check that hangs. */
	private static final Duration READINESS_LIMIT = Duration.ofSeconds(2);

	/** How long deregistering from all gateways may take. */
	static final Duration DEREGISTER_LIMIT = Duration.ofSeconds(2);

	/**
	 * How long a request may take from the gateway's choice of this instance until it
	 * arrives.
	 */
	static final Duration DEREGISTER_GRACE = Duration.ofMillis(500);

	private final Instance.Source instance;

	private final CatalogSource catalogs;

	private final GatewayLocator gateways;

	private final WarmupTasks tasks;

	private final GatewayRun.Shared shared;

	private final Gate gate;

	private final UserReadiness readiness;

	private final UserActivity users;

	/** The budgets of the runs under way. */
	private final List<Budget> underWay = new CopyOnWriteArrayList<>();

	/** That of the last run through all gateways. */
	private volatile @Nullable Ramp ramp;

	/**
	 * Completed once requests of another run may be in flight in parallel with that
	 * run's.
	 */
	private volatile Sinks.Empty<Void> alone = Sinks.empty();

	/** Whether gateways were informed that the gate has opened. */
	private final AtomicBoolean announced = new AtomicBoolean();

	/** Sends the last reports again, with where the gate is then. */
	private volatile Function<Gate.Position, Flux<Boolean>> lastReports = (gate) -> Flux.empty();

	private final Disposable.Swap announcement = Disposables.swap();

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
		this.readiness = readiness;
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
			stopping = List.copyOf(this.underWay);
		}
		this.announcement.update(Disposables.disposed());
		stopping.forEach(Budget::stop);
		return () -> stopping.forEach(Budget::cancel);
	}

	/**
	 * Announces to every gateway that this instance is about to stop, and waits a moment
	 * for the requests already routed to it. An instance whose gate is closed has no
	 * users, and does not deregister.
	 * @return completes when the web server may stop; never fails
	 */
	Mono<Void> deregister() {
		Scheduler scheduler = this.shared.timing().scheduler();
		return Flux.defer(() -> this.gate.isOpen() ? deregisterFromAll() : Flux.empty())
			.filter((confirmed) -> confirmed)
			.take(DEREGISTER_LIMIT, scheduler)
			.onErrorResume((error) -> {
				logger.debug("This instance is not deregistered from the gateways: {}", error.toString());
				return Flux.empty();
			})
			.count()
			.filter((confirmed) -> confirmed > 0)
			.doOnNext((confirmed) -> logger.info("Deregistered; gateways that send no more users here: {}", confirmed))
			.delayElement(DEREGISTER_GRACE, scheduler)
			.then();
	}

	private Flux<Boolean> deregisterFromAll() {
		String instanceId = this.instance.get().instanceId();
		String id = newId();
		return this.gateways.locate()
			.flatMapIterable((found) -> found)
			.flatMap((gateway) -> this.shared.client()
				.deregister(gateway, this.shared.client().claim(gateway, instanceId, SignedClaim.Scope.LEAVE, id)),
					Integer.MAX_VALUE);
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
		Sinks.Empty<Void> alone = Sinks.empty();
		if (this.underWay.size() > 1) {
			alone.tryEmitEmpty();
			this.alone.tryEmitEmpty();
		}
		return loadPlan(trigger)
			.flatMap((plan) -> plan.isEmpty() ? Mono.just(skipped(id, trigger, gateway.id(), plan))
					: GatewayRun.run(this.shared, plan, recorder(id, trigger, gateway.id(), plan, List.of()),
							this.instance.get(),
							new GatewayRun.Target(gateway, budget, ramp(trigger, List.of()), alone, false)))
			.onErrorResume((error) -> Mono.fromSupplier(() -> brokenOff(id, trigger, gateway.id(), error)))
			.doOnNext(this.shared.state()::ended)
			.flatMap((run) -> report(new RunResult(run, gateway), Gate.Position.CLOSED))
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
	 * Side by side, so that one that hangs delays no other. The first, which the locator
	 * has nearest, begins alone: what is observed of single requests needs that.
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
		Sinks.Empty<Void> alone = Sinks.empty();
		this.alone = alone;
		Mono<Void> othersBegin = Mono
			.firstWithSignal(alone.asMono(), Mono.delay(MAX_ALONE, this.shared.timing().scheduler()).then())
			.doOnTerminate(alone::tryEmitEmpty);
		return Flux.fromIterable(found).flatMapSequential((gateway) -> {
			String id = newId();
			Mono<RunResult> run = Mono
				.defer(() -> GatewayRun.run(this.shared, plan, recorder(id, trigger, gateway.id(), plan, findings),
						this.instance.get(), new GatewayRun.Target(gateway, budget.within(left), ramp, alone, true)))
				.onErrorResume((error) -> Mono.fromSupplier(() -> brokenOff(id, trigger, gateway.id(), error)))
				.flatMap((record) -> openUnlessLast(record, ramp, pending, budget)
					.thenReturn(new RunResult(record, gateway)));
			return gateway.equals(found.get(0)) ? run.doFinally((signal) -> alone.tryEmitEmpty())
					: othersBegin.then(run);
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
	 * that has had users for longer was warmed by them.
	 */
	private Ramp ramp(Trigger trigger, List<Gateway> through) {
		Duration window = this.shared.settings().rampWindow();
		boolean startup = trigger == this.shared.settings().startupTrigger() && !through.isEmpty();
		boolean isNew = !this.gate.isOpen() || this.shared.timing().now() - this.openedAt < window.toNanos();
		boolean first = this.shared.state().runs().stream().allMatch((run) -> run.sent() == 0);
		return new Ramp(() -> startup && first && this.underWay.size() == 1,
				startup && isNew && trigger != Trigger.TRAIN && this.gate.isEnabled() && !window.isZero(),
				this.gate::isOpen, this::openEarly, (soFar) -> announce(soFar, through), this.users,
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
	 * To every gateway, also those that the run does not go through, or that came later:
	 * each has users.
	 */
	private Mono<Void> announce(RunRecord soFar, List<Gateway> all) {
		return announcing((gate) -> locateAgain(all).flatMapIterable((found) -> found)
			.flatMap((gateway) -> report(gateway, Phase.RAMPING, gate, soFar), Integer.MAX_VALUE));
	}

	/** The gateways of now; the same as before where discovery does not have them. */
	private Mono<List<Gateway>> locateAgain(List<Gateway> before) {
		return Mono.defer(() -> this.gateways.locate().timeout(RELOCATE_LIMIT, this.shared.timing().scheduler()))
			.doOnError((error) -> logger.debug("Gateways that came later do not get the report", error))
			.onErrorComplete()
			.filter((found) -> !found.isEmpty())
			.defaultIfEmpty(before);
	}

	/**
	 * First the phase and the gate, then the reports. That the gate has opened is
	 * announced once, and only for an instance that accepts users: the registry decides
	 * all else. A run that was stopped leaves phase and gate as they are; one with
	 * nothing to send leaves the phase, and the gate if it is not the startup run.
	 */
	private Mono<List<RunRecord>> complete(List<RunResult> results, Budget budget) {
		List<RunRecord> runs = results.stream().map(RunResult::run).toList();
		return Mono.defer(() -> {
			if (budget.isStopped()) {
				return report(results, Gate.Position.CLOSED).then();
			}
			Optional<Phase> left = this.shared.state().completed(runs);
			if (left.isPresent() || runs.get(0).trigger() == this.shared.settings().startupTrigger()) {
				opens(this.gate.onCompleted(reached(runs)));
			}
			return announcing((gate) -> Flux.merge(report(results, gate), reportToOthers(results, gate, budget)));
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

	private Flux<Boolean> report(List<RunResult> results, Gate.Position gate) {
		return Flux.fromIterable(results).flatMap((result) -> report(result, gate), Integer.MAX_VALUE);
	}

	/**
	 * Gateways that a run did not go through, or all if it went through none, get a
	 * report only if it announces that the gate has opened, and once they know the
	 * instance: they may still have it as deregistered. It is not warm through them.
	 */
	private Flux<Boolean> reportToOthers(List<RunResult> results, Gate.Position gate, Budget budget) {
		if (gate == Gate.Position.CLOSED) {
			return Flux.empty();
		}
		RunRecord run = results.get(0).run();
		List<Gateway> through = results.stream().flatMap((result) -> Stream.ofNullable(result.gateway())).toList();
		Phase phase = through.isEmpty() ? phaseAfter(run) : Phase.RAMPING;
		Budget limit = Budget.start(ANNOUNCE_LIMIT, this.shared.timing().nanoTime());
		return this.gateways.locate()
			.flatMapIterable((found) -> found)
			.filter((gateway) -> !through.contains(gateway))
			.flatMap((gateway) -> isRegistered(gateway, limit).filter(Boolean::booleanValue)
				.flatMap((known) -> report(gateway, phase, gate, run)), Integer.MAX_VALUE)
			.take(ANNOUNCE_LIMIT, this.shared.timing().scheduler())
			.takeUntilOther(budget.whenStopped())
			.onErrorResume((error) -> {
				logger.debug("Gateways are not informed that the gate is open: {}", error.toString());
				return Flux.empty();
			});
	}

	/**
	 * Sends reports, and again once users are accepted if they were not by then. They
	 * take the place of earlier ones that are being sent, which may not come after them.
	 */
	private Mono<Void> announcing(Function<Gate.Position, Flux<Boolean>> reports) {
		this.lastReports = reports;
		this.announcement.update(Disposables.disposed());
		return send(reports).filter(Gate.Position.CLOSED::equals).doOnNext((gate) -> announceLater()).then();
	}

	/**
	 * Sends reports, one of which announces that the gate has opened if the instance
	 * accepts users; the next ones do where no gateway accepts that.
	 * @return where the gate is by these reports
	 */
	private Mono<Gate.Position> send(Function<Gate.Position, Flux<Boolean>> reports) {
		return Mono.defer(() -> isOpeningDue() ? acceptsUsers(Level.INFO) : Mono.just(false))
			.flatMap((accepts) -> (accepts && this.announced.compareAndSet(false, true)) ? sendOpen(reports)
					: reports.apply(Gate.Position.CLOSED).then(Mono.just(Gate.Position.CLOSED)));
	}

	private Mono<Gate.Position> sendOpen(Function<Gate.Position, Flux<Boolean>> reports) {
		AtomicBoolean accepted = new AtomicBoolean();
		return Mono.using(() -> accepted,
				(any) -> reports.apply(Gate.Position.OPEN)
					.doOnNext((taken) -> accepted.compareAndSet(false, taken))
					.then(Mono.just(Gate.Position.OPEN)),
				(known) -> this.announced.set(known.get()));
	}

	/**
	 * Announces in the background that the gate is open, unless gateways know: the
	 * application may accept users later than that, of which it has ten seconds.
	 */
	synchronized void announceLater() {
		if (this.stopped || !isOpeningDue()) {
			return;
		}
		Scheduler scheduler = this.shared.timing().scheduler();
		this.announcement.update(acceptsUsers(Level.DEBUG).filter(Boolean::booleanValue)
			.repeatWhenEmpty((times) -> times.delayElements(ANNOUNCE_PAUSE, scheduler))
			.take(ANNOUNCE_LIMIT, scheduler)
			.filter((accepts) -> this.announced.compareAndSet(false, true))
			.flatMap((accepts) -> sendOpen(this.lastReports))
			.subscribe());
	}

	private boolean isOpeningDue() {
		return this.gate.isEnabled() && this.gate.isOpen() && !this.announced.get();
	}

	private Mono<Boolean> isRegistered(Gateway gateway, Budget limit) {
		GatewayClient client = this.shared.client();
		return Mono
			.defer(() -> client.checkRegistration(gateway,
					client.claim(gateway, this.instance.get().instanceId(), SignedClaim.Scope.REPLAY, newId())))
			.thenReturn(true)
			.onErrorReturn(GatewayClient.UnsupportedException.class, false)
			.retryWhen(Retries.waitingFor("registration at the gateway", limit, this.shared.timing().scheduler()))
			.onErrorReturn(false);
	}

	private Mono<Boolean> acceptsUsers(Level unknown) {
		return this.readiness.acceptsUsers()
			.timeout(READINESS_LIMIT, this.shared.timing().scheduler())
			.doOnError((error) -> logger.atLevel(unknown)
				.log("Gateways are not asked to route users here, since it is not known whether this instance accepts "
						+ "them: {}", error.toString()))
			.onErrorReturn(false);
	}

	private Mono<Boolean> report(RunResult result, Gate.Position gate) {
		return (result.gateway() == null) ? Mono.empty()
				: report(result.gateway(), phaseAfter(result.run()), gate, result.run());
	}

	private static Phase phaseAfter(RunRecord run) {
		return Phase.after(List.of(run.verdict())).orElse(Phase.COLD);
	}

	private Mono<Boolean> report(Gateway gateway, Phase phase, Gate.Position gate, RunRecord run) {
		Instance self = this.instance.get();
		return this.shared.client().report(gateway, new RunReport(self.service(), self.instanceId(), phase, gate, run));
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

	private static String newId() {
		return IDS.generateId().toString();
	}

	/** A run, and the gateway it went through, to report it to, if any. */
	private record RunResult(RunRecord run, @Nullable Gateway gateway) {

		static RunResult of(RunRecord run) {
			return new RunResult(run, null);
		}

	}

}
