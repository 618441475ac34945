package dev.warmup.run;

import java.time.Duration;
import java.util.Optional;

import dev.warmup.GatewayLocator;
import dev.warmup.protocol.Gate;
import dev.warmup.protocol.InstanceSource;
import dev.warmup.protocol.WarmupClaim;
import dev.warmup.protocol.WarmupToken;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

import org.springframework.context.SmartLifecycle;
import org.springframework.util.AlternativeJdkIdGenerator;

/**
 * Says goodbye when the application stops: tells every gateway to send no more users, and
 * gives those on their way a moment, before the web server stops to take requests. An
 * instance whose gate is closed has no users to lose, and goes without a word.
 */
public final class ShutdownNotifier implements SmartLifecycle {

	/** After the run under way was stopped, before the web server is. */
	static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 512;

	/** What telling all gateways may take. */
	static final Duration LIMIT = Duration.ofSeconds(2);

	/** What a request may take from a gateway's choice of this instance to its server. */
	static final Duration GRACE = Duration.ofMillis(500);

	private static final Logger logger = LoggerFactory.getLogger(ShutdownNotifier.class);

	private static final AlternativeJdkIdGenerator IDS = new AlternativeJdkIdGenerator();

	private final InstanceSource instance;

	private final GatewayLocator gateways;

	private final GatewayClient door;

	private final Gate gate;

	private final WarmupToken token;

	private final Scheduler scheduler;

	private volatile boolean started;

	/**
	 * Creates the listener.
	 * @param instance who this application is
	 * @param gateways whom to tell
	 * @param door where to tell them
	 * @param gate tells whether users may be here
	 * @param token proves who leaves
	 * @param scheduler the source of time
	 */
	public ShutdownNotifier(InstanceSource instance, GatewayLocator gateways, GatewayClient door, Gate gate,
			WarmupToken token, Scheduler scheduler) {
		this.instance = instance;
		this.gateways = gateways;
		this.door = door;
		this.gate = gate;
		this.token = token;
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
		leave().doFinally((signal) -> callback.run()).subscribe();
	}

	/** Completes when the web server may stop; never fails. */
	Mono<Void> leave() {
		return Flux.defer(() -> this.gate.isOpen() ? tellAll() : Flux.empty())
			.filter((taken) -> taken)
			.take(LIMIT, this.scheduler)
			.onErrorResume((error) -> {
				logger.debug("The gateways were not told that this instance stops: {}", error.toString());
				return Flux.empty();
			})
			.count()
			.filter((taken) -> taken > 0)
			.doOnNext((taken) -> logger.info("ShutdownNotifier; gateways that send no more users: {}", taken))
			.delayElement(GRACE, this.scheduler)
			.then();
	}

	private Flux<Boolean> tellAll() {
		WarmupClaim claim = new WarmupClaim(this.instance.get().instanceId(), Optional.of(this.token.value()),
				IDS.generateId().toString());
		return this.gateways.locate()
			.flatMapIterable((found) -> found)
			.flatMap((gateway) -> this.door.leave(gateway, claim), Integer.MAX_VALUE);
	}

}
