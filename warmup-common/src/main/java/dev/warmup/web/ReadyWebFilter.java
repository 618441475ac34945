package dev.warmup.web;

import java.util.function.BooleanSupplier;

import dev.warmup.protocol.InternalPaths;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * Answers {@code GET /.warmup/ready} in a reactive application: 200 when the application
 * is ready for users, 503 before.
 */
public final class ReadyWebFilter implements WebFilter, Ordered {

	/** Ahead of Spring Security (-100), so that a startup probe needs no credentials. */
	public static final int ORDER = WarmupWebFilter.ORDER - 1;

	private final BooleanSupplier ready;

	/**
	 * Creates the filter.
	 * @param ready whether the application is ready for users
	 */
	public ReadyWebFilter(BooleanSupplier ready) {
		this.ready = ready;
	}

	@Override
	public int getOrder() {
		return ORDER;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		ServerHttpRequest request = exchange.getRequest();
		if (!HttpMethod.GET.equals(request.getMethod())
				|| !request.getPath().pathWithinApplication().value().equals(InternalPaths.READY_PATH)) {
			return chain.filter(exchange);
		}
		exchange.getResponse()
			.setStatusCode(this.ready.getAsBoolean() ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE);
		return exchange.getResponse().setComplete();
	}

}
