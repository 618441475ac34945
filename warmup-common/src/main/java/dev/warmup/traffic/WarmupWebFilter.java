package dev.warmup.traffic;

import java.util.Optional;
import java.util.function.Supplier;

import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * In a reactive service: marks warm-up requests for the application, names the instance
 * in their answers, and winds the idle clock for users' requests.
 */
public final class WarmupWebFilter implements WebFilter, Ordered {

	/** Ahead of Spring Security (-100), which may turn a request away unmarked. */
	public static final int ORDER = Ordered.HIGHEST_PRECEDENCE + 100;

	private final Supplier<String> instanceId;

	private final IdleClock idleClock;

	private final OwnTraffic ownTraffic;

	/**
	 * Creates the filter.
	 * @param instanceId the name of this instance in discovery, asked for at each warm-up
	 * request
	 * @param idleClock the clock to wind
	 * @param ownTraffic which paths are no user's
	 */
	public WarmupWebFilter(Supplier<String> instanceId, IdleClock idleClock, OwnTraffic ownTraffic) {
		this.instanceId = instanceId;
		this.idleClock = idleClock;
		this.ownTraffic = ownTraffic;
	}

	@Override
	public int getOrder() {
		return ORDER;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		String path = exchange.getRequest().getPath().pathWithinApplication().value();
		Optional<WarmupContext> warmup = Optional
			.ofNullable(exchange.getRequest().getHeaders().getFirst(WarmupClaim.HEADER))
			.flatMap(WarmupClaim::parse)
			.map(WarmupClaim::toContext);
		if (warmup.isPresent()) {
			exchange.getAttributes().put(WarmupContext.ATTRIBUTE, warmup.get());
			exchange.getResponse().getHeaders().set(WarmupClaim.INSTANCE_HEADER, this.instanceId.get());
			return chain.filter(exchange).contextWrite(warmup.get()::writeTo);
		}
		if (this.ownTraffic.covers(path)) {
			return chain.filter(exchange);
		}
		this.idleClock.wind();
		return chain.filter(exchange).doFinally((signal) -> this.idleClock.wind());
	}

}
