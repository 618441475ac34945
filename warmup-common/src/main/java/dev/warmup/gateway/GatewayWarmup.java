package dev.warmup.gateway;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * Has the services behind a gateway warm it, two at a time at most: from the moment it is
 * ready until each has, and again when it is idle. Looks into discovery when that has
 * changed, now and then, and as long as somebody is to be asked.
 */
public final class GatewayWarmup implements DisposableBean {

	private static final Logger logger = LoggerFactory.getLogger(GatewayWarmup.class);

	private static final Duration TICK = Duration.ofSeconds(1);

	/** After a fault that nobody foresaw. */
	private static final Duration PAUSE = Duration.ofSeconds(10);

	private static final int MOST_AT_ONCE = 2;

	private final WarmableServices directory;

	private final GatewayWarmupSchedule agenda;

	private final ServiceWarmup asking;

	private final GatewayReadiness readiness;

	private final Scheduler scheduler;

	private final Disposable.Swap running = Disposables.swap();

	private volatile boolean lookRequested = true;

	private volatile boolean unanswered;

	/**
	 * Creates the warm-up, which does nothing until the application is ready.
	 * @param directory finds the services
	 * @param agenda tells whom to ask, and when
	 * @param asking asks a service
	 * @param readiness opens the gate
	 * @param scheduler the source of time
	 */
	public GatewayWarmup(WarmableServices directory, GatewayWarmupSchedule agenda, ServiceWarmup asking,
			GatewayReadiness readiness, Scheduler scheduler) {
		this.directory = directory;
		this.agenda = agenda;
		this.asking = asking;
		this.readiness = readiness;
		this.scheduler = scheduler;
	}

	/** Starts with the application, once. */
	@EventListener(ApplicationReadyEvent.class)
	public void onReady() {
		this.running.update(asLongAsTheApplicationRuns().subscribe());
	}

	/**
	 * Looks at the next tick: discovery may have changed, or the gateway may be idle. At
	 * a fixed rate, as nothing is waited for.
	 */
	@EventListener(HeartbeatEvent.class)
	@Scheduled(fixedRateString = "#{@warmupIdleSchedule.period().toMillis()}",
			initialDelayString = "#{@warmupIdleSchedule.period().toMillis()}")
	public void look() {
		this.lookRequested = true;
	}

	@Override
	public void destroy() {
		this.running.dispose();
	}

	/** Never completes. */
	Flux<Void> asLongAsTheApplicationRuns() {
		return ticks().concatMap((tick) -> services(), 1)
			.concatMapIterable(Map::entrySet, 1)
			.flatMap((service) -> this.asking.ask(service.getKey(), service.getValue()), MOST_AT_ONCE, 1)
			.retryWhen(Retry.fixedDelay(Long.MAX_VALUE, PAUSE)
				.scheduler(this.scheduler)
				.doBeforeRetry(
						(retry) -> logger.error("ServiceWarmup to warm this gateway broke off", retry.failure())))
			.doFirst(this.readiness::start);
	}

	private Flux<Long> ticks() {
		return Flux.interval(Duration.ZERO, TICK, this.scheduler)
			.doOnNext((tick) -> this.readiness.check())
			.onBackpressureDrop()
			.filter((tick) -> this.lookRequested || this.agenda.isStartupDue())
			.doOnNext((tick) -> this.lookRequested = false);
	}

	private Mono<Map<String, List<ServiceInstance>>> services() {
		return this.directory.look().doOnNext((found) -> {
			this.unanswered = false;
			this.agenda.found(found.keySet());
			this.readiness.found(found.keySet());
		}).onErrorResume((error) -> Mono.fromRunnable(() -> notAnswered(error)));
	}

	private void notAnswered(Throwable error) {
		this.lookRequested = true;
		if (!this.unanswered) {
			this.unanswered = true;
			logger.info("Discovery cannot tell which services could warm this gateway, looking again: {}",
					Optional.ofNullable(error.getMessage()).orElseGet(error::toString));
		}
	}

}
