package dev.warmup.run;

import java.time.Duration;
import java.util.List;

import dev.warmup.Gateway;
import dev.warmup.GatewayLocator;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** Looks for gateways until there is one. */
final class GatewaySearch {

	/** What one look may take, so that one that hangs is not the last. */
	private static final Duration LOOK_LIMIT = Duration.ofSeconds(10);

	private final GatewayLocator gateways;

	private final Scheduler scheduler;

	GatewaySearch(GatewayLocator gateways, Scheduler scheduler) {
		this.gateways = gateways;
		this.scheduler = scheduler;
	}

	/** What is looked for, for logs. */
	String description() {
		return this.gateways.description();
	}

	/**
	 * All gateways, at least one; fails with {@link NoRouteException} within the budget.
	 */
	Mono<List<Gateway>> within(Budget budget) {
		return Mono.defer(() -> this.gateways.locate().timeout(LOOK_LIMIT, this.scheduler))
			.onErrorMap((error) -> new NoRouteException("cannot look for %s: %s".formatted(description(), error)))
			.filter((found) -> !found.isEmpty())
			.switchIfEmpty(Mono.error(() -> new NoRouteException("there is no " + description())))
			.retryWhen(new RouteRetry(budget, this.scheduler));
	}

}
