package dev.warmup.run;

import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

import dev.warmup.catalog.Catalog;
import dev.warmup.catalog.CatalogSource;
import dev.warmup.catalog.Trigger;
import dev.warmup.locate.Gateway;
import dev.warmup.locate.GatewayLocator;
import dev.warmup.plan.Plan;
import dev.warmup.record.Instance;
import dev.warmup.record.InstanceSource;
import dev.warmup.record.RunRecord;
import dev.warmup.record.RunRecorder;
import dev.warmup.replay.Budget;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import org.springframework.util.AlternativeJdkIdGenerator;

/** Carries out runs, one at a time. Thread-safe. */
public final class WarmupRunner {

	private static final Logger logger = LoggerFactory.getLogger(WarmupRunner.class);

	/** Does not block, as {@code UUID.randomUUID()} may. */
	private static final AlternativeJdkIdGenerator IDS = new AlternativeJdkIdGenerator();

	private final InstanceSource instance;

	private final CatalogSource catalogs;

	private final GatewayLocator gateways;

	private final Passage passage;

	private final RunSettings settings;

	private final WarmupState state;

	private final Clock clock;

	private final Scheduler scheduler;

	private final LongSupplier nanoTime;

	private final AtomicReference<@Nullable Budget> current = new AtomicReference<>();

	/**
	 * Creates a runner.
	 * @param instance who this application is, asked for when a run starts
	 * @param catalogs what to send
	 * @param gateways what to go through
	 * @param passage carries a plan through one gateway
	 * @param settings how far a run may go
	 * @param state is told of what happens
	 * @param clock the source of time for records
	 * @param scheduler the source of time for waiting
	 * @param nanoTime the source of time for the budget
	 */
	public WarmupRunner(InstanceSource instance, CatalogSource catalogs, GatewayLocator gateways, Passage passage,
			RunSettings settings, WarmupState state, Clock clock, Scheduler scheduler, LongSupplier nanoTime) {
		this.instance = instance;
		this.catalogs = catalogs;
		this.gateways = gateways;
		this.passage = passage;
		this.settings = settings;
		this.state = state;
		this.clock = clock;
		this.scheduler = scheduler;
		this.nanoTime = nanoTime;
	}

	/**
	 * Runs once through every gateway.
	 * @param trigger what the run is for
	 * @return a record by gateway, at least one; empty when another run is under way;
	 * never fails
	 */
	public Mono<List<RunRecord>> run(Trigger trigger) {
		return Mono.defer(() -> {
			Budget budget = Budget.start(this.settings.budget(), this.nanoTime);
			return this.current.compareAndSet(null, budget) ? run(trigger, budget) : Mono.empty();
		});
	}

	/**
	 * Starts a run in the background.
	 * @param trigger what the run is for
	 * @return {@code false} when another run is under way, and none was started
	 */
	public boolean start(Trigger trigger) {
		Budget budget = Budget.start(this.settings.budget(), this.nanoTime);
		if (!this.current.compareAndSet(null, budget)) {
			return false;
		}
		run(trigger, budget).subscribe();
		return true;
	}

	/**
	 * Whether a run is under way.
	 * @return {@code true} from a run's start until it is reported
	 */
	public boolean isRunning() {
		return this.current.get() != null;
	}

	/** Ends the run under way, if any: it sends only what cleans up, and concludes. */
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
			.flatMapMany((catalog) -> carryOut(trigger, catalog, this.instance.get(), budget))
			.onErrorResume((error) -> Mono.fromSupplier(() -> brokenOff(trigger, error)))
			.doOnNext(this.state::ended)
			.collectList()
			.doOnNext(this.state::concluded);
	}

	private Flux<RunRecord> carryOut(Trigger trigger, Catalog catalog, Instance self, Budget budget) {
		Plan plan = Plan.of(catalog, self.service(), trigger, this.settings.repetitions());
		return plan.isEmpty() ? Flux.just(skip(trigger, plan, self)) : throughAll(trigger, plan, self, budget);
	}

	private Flux<RunRecord> throughAll(Trigger trigger, Plan plan, Instance self, Budget budget) {
		return Flux.defer(() -> {
			RunRecorder nowhere = recorder(trigger, plan);
			return locate(budget)
				.flatMapMany((found) -> Flux.range(0, found.size())
					.concatMap((i) -> this.passage
						.run(IDS.generateId().toString(), trigger, plan, self, found.get(i),
								budget.share(found.size() - i), this.settings.budget().dividedBy(found.size()))
						.doOnNext((run) -> budget.extend(run.took())), 1))
				.onErrorResume(NoWayException.class,
						(noWay) -> Mono.fromSupplier(() -> nowhere.unreached(noWay.getMessage())));
		});
	}

	private Mono<List<Gateway>> locate(Budget budget) {
		return this.gateways.locate()
			.onErrorMap((error) -> new NoWayException(
					"cannot look for %s: %s".formatted(this.gateways.description(), error)))
			.filter((found) -> !found.isEmpty())
			.switchIfEmpty(Mono.error(() -> new NoWayException("there is no " + this.gateways.description())))
			.retryWhen(new Waiting(budget, this.scheduler));
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
		return new RunRecorder(IDS.generateId().toString(), trigger, this.gateways.description(), plan, this.clock);
	}

}
