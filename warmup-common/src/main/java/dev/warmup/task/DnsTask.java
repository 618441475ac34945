package dev.warmup.task;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;

import dev.warmup.GatewayLocator;
import dev.warmup.WarmupTask;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Resolves the names of the gateways' hosts with the JVM's resolver, so that it and the
 * name server have them at hand, and a name that does not resolve is reported. Where
 * gateways cannot be looked for, or there is none yet, it does nothing: the run itself
 * reports it.
 */
final class DnsTask implements WarmupTask {

	private static final Duration LIMIT = Duration.ofSeconds(5);

	private static final int SIDE_BY_SIDE = 16;

	private final GatewayLocator gateways;

	DnsTask(GatewayLocator gateways) {
		this.gateways = gateways;
	}

	@Override
	public String name() {
		return "dns";
	}

	@Override
	public Duration limit() {
		return LIMIT;
	}

	@Override
	public Mono<Void> run() {
		return this.gateways.locate()
			.onErrorReturn(List.of())
			.flatMapMany(Flux::fromIterable)
			.flatMap((gateway) -> Mono.justOrEmpty(gateway.uri().getHost()))
			.distinct()
			.flatMapDelayError(DnsTask::resolve, SIDE_BY_SIDE, 1)
			.then();
	}

	private static Mono<InetAddress[]> resolve(String host) {
		return Mono.fromCallable(() -> InetAddress.getAllByName(host)).subscribeOn(Schedulers.boundedElastic());
	}

}
