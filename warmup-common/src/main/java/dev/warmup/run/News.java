package dev.warmup.run;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import dev.warmup.Gateway;
import dev.warmup.GatewayLocator;
import dev.warmup.service.Gate;
import dev.warmup.service.OwnState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

import org.springframework.http.HttpMethod;

/**
 * Tells every gateway that there is news of this instance. A gateway that does not look
 * at once gets it again a few times, unless newer news is sent meanwhile, and looks by
 * itself later. Thread-safe.
 */
final class News {

	private static final Duration LOCATE_LIMIT = Duration.ofSeconds(5);

	/** A gateway forgets an instance that has not renewed three times. */
	private static final Duration RENEWAL = Duration.ofSeconds(10);

	private static final int TRIES = 5;

	private static final Duration PAUSE = Duration.ofSeconds(1);

	private static final Logger logger = LoggerFactory.getLogger(News.class);

	private final OwnState state;

	private final Gate gate;

	private final GatewayLocator gateways;

	private final GatewayClient client;

	private final Scheduler scheduler;

	private final AtomicInteger sent = new AtomicInteger();

	News(OwnState state, Gate gate, GatewayLocator gateways, GatewayClient client, Scheduler scheduler) {
		this.state = state;
		this.gate = gate;
		this.gateways = gateways;
		this.client = client;
		this.scheduler = scheduler;
	}

	/**
	 * Sends news in the background.
	 * @return completes when every gateway has looked or is given up; never fails
	 */
	Mono<Void> send() {
		int number = this.sent.incrementAndGet();
		Mono<Void> round = located().flatMap((gateway) -> tell(gateway, number)).then().cache();
		round.subscribe();
		return round;
	}

	/**
	 * Tells every gateway each ten seconds that this instance is there, where it would be
	 * forgotten otherwise.
	 */
	Flux<?> renewals() {
		return !this.client.announces() ? Flux.empty() : Flux.interval(RENEWAL, this.scheduler)
			.onBackpressureDrop()
			.concatMap((tick) -> located()
				.flatMap((gateway) -> this.client.tell(HttpMethod.PUT, gateway, this.state.instance().instanceId())))
			.doOnNext((answer) -> logger.debug("Announced again: {}", answer))
			.doOnError((error) -> logger.warn("This instance cannot announce itself", error))
			.retry();
	}

	private Flux<Gateway> located() {
		return Flux.defer(() -> this.gateways.isAvailable() ? this.gateways.locate() : Mono.empty())
			.timeout(LOCATE_LIMIT, this.scheduler)
			.flatMapIterable((located) -> located)
			.onErrorResume((error) -> {
				logger.debug("Gateways cannot be located: {}", error.toString());
				return Mono.empty();
			});
	}

	private Mono<Void> tell(Gateway gateway, int number) {
		return this.client.news(gateway, this.state.instance().instanceId())
			.doOnNext((answer) -> logger.debug("News to gateway {}: {}", gateway.id(),
					answer.gatewayId().isPresent() ? "it has looked" : answer.problem()))
			.filter((answer) -> answer.gatewayId().isPresent() || answer.lasting())
			.repeatWhenEmpty((failures) -> failures.takeWhile((failure) -> failure + 1 < TRIES)
				.delayElements(PAUSE, this.scheduler)
				.takeWhile((failure) -> number == this.sent.get() && !this.gate.isLeaving()))
			.then();
	}

}
