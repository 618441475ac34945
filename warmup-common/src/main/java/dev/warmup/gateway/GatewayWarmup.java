package dev.warmup.gateway;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

import dev.warmup.gateway.GatewayWarmupSchedule.Progress;
import dev.warmup.protocol.Gate;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.Verdict;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.util.retry.Retry;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.event.HeartbeatEvent;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextAware;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * Warms the gateway by requesting runs from the services behind it, at most 16 at a time:
 * from the moment it is ready until each has gone through, and again when it is idle.
 * Reads discovery when that has changed, from time to time, and while a service is due.
 * Opens the gateway's gate when a run of every service that was found at first has gone
 * through it, or the budget is used up. Has the fleet forget instances that are gone.
 */
class GatewayWarmup implements ApplicationContextAware, DisposableBean {

	private static final Logger logger = LoggerFactory.getLogger(GatewayWarmup.class);

	private static final Logger status = LoggerFactory.getLogger("dev.warmup.status");

	private static final Duration TICK = Duration.ofSeconds(1);

	private static final Duration REPORT_CHECK_INTERVAL = Duration.ofMillis(250);

	private static final Duration FLEET_CHECK_INTERVAL = Duration.ofSeconds(30);

	/** After an unexpected error. */
	private static final Duration RESTART_DELAY = Duration.ofSeconds(10);

	/**
	 * Each takes a part of the budget that way. How much of this gateway they take is up
	 * to {@link Admission}.
	 */
	private static final int MAX_CONCURRENT_SERVICES = 16;

	/**
	 * The service has its own budget from its first answer on, and cleans up before it
	 * reports.
	 */
	private static final Duration REPORT_MARGIN = Duration.ofSeconds(10);

	private static final int MAX_INSTANCES = 3;

	private final WarmingServices services;

	private final Fleet fleet;

	private final GatewayWarmupSchedule schedule;

	private final Gate gate;

	private final Instance.Source self;

	private final Duration budget;

	private final Clock clock;

	private final Scheduler scheduler;

	private final Disposable.Swap running = Disposables.swap();

	private @Nullable ApplicationContext context;

	private volatile boolean refreshRequested = true;

	private volatile boolean discoveryFailed;

	private Optional<Instant> since = Optional.empty();

	private Optional<List<String>> awaited = Optional.empty();

	private boolean finished;

	/**
	 * Creates the warm-up, which does nothing until the application is ready. The budget
	 * is how long the gate stays closed at most, and that of the services' runs.
	 */
	GatewayWarmup(WarmingServices services, Fleet fleet, GatewayWarmupSchedule schedule, Gate gate,
			Instance.Source self, Duration budget, Clock clock, Scheduler scheduler) {
		this.services = services;
		this.fleet = fleet;
		this.schedule = schedule;
		this.gate = gate;
		this.self = self;
		this.budget = budget;
		this.clock = clock;
		this.scheduler = scheduler;
	}

	@Override
	public void setApplicationContext(ApplicationContext context) {
		this.context = context;
	}

	/** Starts with the application, and not with a child of its context. */
	@EventListener
	public void onReady(ApplicationReadyEvent event) {
		if (event.getApplicationContext() == this.context) {
			this.running.update(run().subscribe());
		}
	}

	/**
	 * Reads discovery at the next tick: it may have changed, or the gateway may be idle.
	 */
	@EventListener(HeartbeatEvent.class)
	@Scheduled(fixedRateString = "#{@warmupIdleSchedule.period().toMillis()}",
			initialDelayString = "#{@warmupIdleSchedule.period().toMillis()}")
	public void refresh() {
		this.refreshRequested = true;
	}

	@Override
	public void destroy() {
		this.running.dispose();
	}

	/** Warms the gateway as long as the application runs. */
	private Flux<Void> run() {
		return ticks().concatMap((tick) -> findServices(), 1)
			.concatMapIterable(Map::entrySet, 1)
			.flatMap((service) -> requestIfDue(service.getKey(), service.getValue()), MAX_CONCURRENT_SERVICES, 1)
			.retryWhen(Retry.fixedDelay(Long.MAX_VALUE, RESTART_DELAY)
				.scheduler(this.scheduler)
				.doBeforeRetry((retry) -> logger.error("Warming this gateway failed", retry.failure())))
			.mergeWith(Flux.interval(FLEET_CHECK_INTERVAL, this.scheduler)
				.onBackpressureDrop()
				.concatMap((tick) -> checkFleet(), 1))
			.doFirst(this::start);
	}

	private Mono<Void> checkFleet() {
		return this.fleet.removeMissing(this.services::isRegistered)
			.doOnError((error) -> logger.debug("Could not determine which instances are gone: {}", error.toString()))
			.onErrorComplete();
	}

	private Flux<Long> ticks() {
		return Flux.interval(Duration.ZERO, TICK, this.scheduler)
			.doOnNext((tick) -> openIfDue())
			.onBackpressureDrop()
			.filter((tick) -> this.refreshRequested || this.schedule.isStartupDue())
			.doOnNext((tick) -> this.refreshRequested = false);
	}

	private Mono<Map<String, List<ServiceInstance>>> findServices() {
		return this.services.find().doOnNext((found) -> {
			this.discoveryFailed = false;
			this.schedule.update(found.keySet());
			found(found.keySet());
		}).onErrorResume((error) -> Mono.fromRunnable(() -> onDiscoveryError(error)));
	}

	private void onDiscoveryError(Throwable error) {
		this.refreshRequested = true;
		if (!this.discoveryFailed) {
			this.discoveryFailed = true;
			logger.info("Discovery did not return the services that could warm this gateway, trying again: {}",
					Optional.ofNullable(error.getMessage()).orElseGet(error::toString));
		}
	}

	private Mono<Void> requestIfDue(String service, List<ServiceInstance> instances) {
		return Mono.defer(() -> Mono.justOrEmpty(this.schedule.begin(service)))
			.flatMap((trigger) -> request(service, instances, trigger)
				.doOnNext((verdict) -> this.schedule.completed(service, verdict))
				.onErrorResume((error) -> Mono.fromRunnable(() -> this.schedule.failed(service,
						(error instanceof NotWarmedException reason) ? reason
								: NotWarmedException.temporarily("the request to " + service + " failed: " + error))))
				.doFinally((signal) -> this.schedule.end(service)))
			.then();
	}

	/**
	 * Tries instances in random order until one starts a run, and waits for its report.
	 * The service does not warm this gateway only if none of them does.
	 */
	private Mono<Verdict> request(String service, List<ServiceInstance> instances, Trigger trigger) {
		List<ServiceInstance> shuffled = new ArrayList<>(instances);
		Collections.shuffle(shuffled);
		Mono<String> started = this.services.request(shuffled.get(0), trigger);
		for (ServiceInstance next : shuffled.subList(1, Math.min(MAX_INSTANCES, shuffled.size()))) {
			started = started.onErrorResume((before) -> this.services.request(next, trigger)
				.onErrorMap((error) -> isUnsupported(before) ? error : before));
		}
		return started.flatMap((run) -> awaitReport(service, run));
	}

	private static boolean isUnsupported(Throwable error) {
		return error instanceof NotWarmedException reason && reason.isUnsupported();
	}

	private Mono<Verdict> awaitReport(String service, String run) {
		Duration limit = this.budget.plus(REPORT_MARGIN);
		return Flux.interval(REPORT_CHECK_INTERVAL, this.scheduler)
			.onBackpressureDrop()
			.concatMap((tick) -> Mono.justOrEmpty(this.fleet.run(run)))
			.next()
			.timeout(limit,
					Mono.error(() -> NotWarmedException.temporarily(
							"%s did not report run %s within %d s".formatted(service, run, limit.toSeconds()))),
					this.scheduler)
			.map((reported) -> verdict(service, reported));
	}

	private static Verdict verdict(String service, RunRecord run) {
		return switch (run.verdict()) {
			case FAILED -> throw NotWarmedException.temporarily("run " + run.id() + " of " + service + " failed");
			case SKIPPED -> throw NotWarmedException.unsupported(service + " has nothing to send");
			default -> run.verdict();
		};
	}

	/** Starts the budget. */
	private synchronized void start() {
		this.since = Optional.of(this.clock.instant());
	}

	/** Updates which services there are; those of the first call are awaited. */
	private synchronized void found(Collection<String> services) {
		if (this.awaited.isEmpty()) {
			this.awaited = Optional.of(List.copyOf(services));
			if (!services.isEmpty()) {
				status.info("Requesting runs from {} {} ({}), for at most {} s", services.size(),
						(services.size() == 1) ? "service" : "services", String.join(", ", services),
						this.budget.toSeconds());
			}
		}
		openIfDue();
	}

	/** Opens the gate if it is time to. */
	private synchronized void openIfDue() {
		if (this.finished) {
			return;
		}
		Map<String, Progress> progress = new TreeMap<>();
		this.awaited.stream()
			.flatMap(List::stream)
			.forEach((service) -> progress.put(service, this.schedule.progress(service)));
		progress.values().removeIf(Progress.UNSUPPORTED::equals);
		boolean complete = this.awaited.isPresent() && !progress.containsValue(Progress.PENDING);
		if (complete || took().compareTo(this.budget) >= 0) {
			this.finished = true;
			this.gate.onCompleted(Optional.empty());
			Instance gateway = this.self.get();
			status.info("{}/{} READY: {}", gateway.service(), gateway.instanceId(), figures(progress));
		}
	}

	private String figures(Map<String, Progress> progress) {
		String took = String.format(Locale.ROOT, "%.1f s", took().toMillis() / 1e3);
		if (this.awaited.isEmpty()) {
			return "discovery did not answer in " + took;
		}
		if (progress.isEmpty()) {
			return this.awaited.get().isEmpty() ? "there is no service to warm it" : "no service has anything to send";
		}
		String line = "warmed by %d of %d services in %s"
			.formatted(Collections.frequency(progress.values(), Progress.WARM), progress.size(), took);
		String rest = progress.entrySet()
			.stream()
			.filter((entry) -> entry.getValue() != Progress.WARM)
			.map((entry) -> entry.getKey() + (isUntouched(entry.getKey(), entry.getValue()) ? " not yet" : " in part"))
			.collect(Collectors.joining(", "));
		return rest.isEmpty() ? line : line + "; " + rest;
	}

	private boolean isUntouched(String service, Progress progress) {
		return progress == Progress.PENDING && !this.schedule.isWarming(service);
	}

	private Duration took() {
		return this.since.map((start) -> Duration.between(start, this.clock.instant())).orElse(Duration.ZERO);
	}

}
