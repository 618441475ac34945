package dev.warmup.run;

import java.time.Duration;

import dev.warmup.GatewayLocator;
import dev.warmup.protocol.ClaimScope;
import dev.warmup.protocol.Gate;
import dev.warmup.protocol.InstanceSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

import org.springframework.context.SmartLifecycle;
import org.springframework.util.AlternativeJdkIdGenerator;

/**
 * Deregisters the instance from every gateway when the application stops, and waits a
 * moment for the requests already routed to it, before the web server stops accepting
 * requests. An instance whose gate is closed has no users, and does not deregister.
 */
final class ShutdownNotifier implements SmartLifecycle {

	/** After the run under way was stopped, before the web server is. */
	static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 512;

	/** How long deregistering from all gateways may take. */
	static final Duration LIMIT = Duration.ofSeconds(2);

	/** What a request may take from the gateway's choice of this instance to it. */
	static final Duration GRACE = Duration.ofMillis(500);

	private static final Logger logger = LoggerFactory.getLogger(ShutdownNotifier.class);

	private static final AlternativeJdkIdGenerator IDS = new AlternativeJdkIdGenerator();

	private final InstanceSource instance;

	private final GatewayLocator gateways;

	private final GatewayClient client;

	private final Gate gate;

	private final Scheduler scheduler;

	private volatile boolean started;

	ShutdownNotifier(InstanceSource instance, GatewayLocator gateways, GatewayClient client, Gate gate,
			Scheduler scheduler) {
		this.instance = instance;
		this.gateways = gateways;
		this.client = client;
		this.gate = gate;
		this.scheduler = scheduler;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

	@Override
	public void start() {
		this.started = true;
	}

	@Override
	public boolean isRunning() {
		return this.started;
	}

	@Override
	public void stop() {
		stop(() -> {
		});
	}

	@Override
	public void stop(Runnable callback) {
		this.started = false;
		deregister().doFinally((signal) -> callback.run()).subscribe();
	}

	/** Completes when the web server may stop; never fails. */
	Mono<Void> deregister() {
		return Flux.defer(() -> this.gate.isOpen() ? deregisterFromAll() : Flux.empty())
			.filter((confirmed) -> confirmed)
			.take(LIMIT, this.scheduler)
			.onErrorResume((error) -> {
				logger.debug("This instance is not deregistered from the gateways: {}", error.toString());
				return Flux.empty();
			})
			.count()
			.filter((confirmed) -> confirmed > 0)
			.doOnNext((confirmed) -> logger.info("Deregistered; gateways that send no more users: {}", confirmed))
			.delayElement(GRACE, this.scheduler)
			.then();
	}

	private Flux<Boolean> deregisterFromAll() {
		String instanceId = this.instance.get().instanceId();
		String id = IDS.generateId().toString();
		return this.gateways.locate()
			.flatMapIterable((found) -> found)
			.flatMap((gateway) -> this.client.deregister(gateway,
					this.client.claim(gateway, instanceId, ClaimScope.LEAVE, id)), Integer.MAX_VALUE);
	}

}
