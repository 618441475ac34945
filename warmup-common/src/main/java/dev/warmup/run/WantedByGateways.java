package dev.warmup.run;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.warmup.Gateway;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.RunAnswer;
import dev.warmup.protocol.Trigger;
import dev.warmup.registry.Registered;
import dev.warmup.registry.Registry;
import dev.warmup.service.WantedRuns;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Starts a run through a gateway that wants to be warmed, if its own state says so, read
 * at the address that the registry has for it, or where gateways are located. Looks at
 * one gateway at a time. Thread-safe.
 */
final class WantedByGateways implements WantedRuns {

	private static final Duration LIMIT = Duration.ofSeconds(5);

	private final RunParts parts;

	private final Runs runs;

	private final Optional<Registry> registry;

	private final AtomicBoolean looking = new AtomicBoolean();

	WantedByGateways(RunParts parts, Runs runs, Optional<Registry> registry) {
		this.parts = parts;
		this.runs = runs;
		this.registry = registry;
	}

	@Override
	public Mono<RunAnswer> wantedBy(String gatewayId) {
		return Mono.defer(() -> {
			if (this.runs.isBusyFor(gatewayId) || !this.looking.compareAndSet(false, true)) {
				return Mono.just(RunAnswer.BUSY);
			}
			return Mono.using(() -> gatewayId, this::look, (looked) -> this.looking.set(false));
		});
	}

	private Mono<RunAnswer> look(String gatewayId) {
		Instance self = this.parts.state().instance();
		return Mono.fromCallable(this.parts.catalogs()::current)
			.subscribeOn(Schedulers.boundedElastic())
			.flatMap((catalog) -> catalog.scenariosFor(self.service(), Trigger.STARTUP).isEmpty()
					? Mono.just(RunAnswer.NOTHING) : startIfWanted(gatewayId, self))
			.timeout(LIMIT, this.parts.scheduler())
			.onErrorReturn(RunAnswer.BUSY);
	}

	private Mono<RunAnswer> startIfWanted(String gatewayId, Instance self) {
		return addresses(gatewayId)
			.filterWhen((address) -> this.parts.client()
				.state(address, self.instanceId())
				.map((gateway) -> gateway.instanceId().equals(gatewayId) && gateway.wants().contains(self.service()))
				.defaultIfEmpty(false))
			.next()
			.map((address) -> this.runs.startThrough(new Gateway(gatewayId, address)) ? RunAnswer.STARTED
					: RunAnswer.BUSY)
			.defaultIfEmpty(RunAnswer.BUSY);
	}

	/** The gateway's own; without a registry, each where it may be. */
	private Flux<URI> addresses(String gatewayId) {
		return this.registry
			.map((known) -> known.find(gatewayId)
				.flatMap(Mono::justOrEmpty)
				.filter(Registered::isGateway)
				.map(Registered::base)
				.flux())
			.orElseGet(() -> this.parts.gateways().locate().flatMapIterable((located) -> located).map(Gateway::uri));
	}

}
