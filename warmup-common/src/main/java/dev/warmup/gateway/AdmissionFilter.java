package dev.warmup.gateway;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import dev.warmup.WarmupContext;
import reactor.core.publisher.Mono;

import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ServerWebExchange;

/**
 * Answers 429 with {@code Retry-After: 1} to a verified warm-up request that gets no
 * permit. Users' requests never wait for one.
 */
public final class AdmissionFilter implements GlobalFilter, Ordered {

	/**
	 * Behind the filter that tells warm-up from users, and ahead of all that would work
	 * for a request in vain: routing, limiters, circuit breakers. Ahead of the filter
	 * that writes the answer, too, so that a permit is held to the last byte.
	 */
	public static final int ORDER = WarmupGlobalFilter.ORDER + 1;

	private static final String RETRY_AFTER_SECONDS = "1";

	private final Admission admission;

	private final List<GatewayListener> listeners;

	private final AtomicInteger unread = new AtomicInteger();

	/**
	 * Creates the filter.
	 * @param admission hands out the permits
	 * @param listeners are told of requests that find none
	 */
	public AdmissionFilter(Admission admission, List<GatewayListener> listeners) {
		this.admission = admission;
		this.listeners = List.copyOf(listeners);
	}

	@Override
	public int getOrder() {
		return ORDER;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
		return exchange.getAttributes().containsKey(WarmupContext.ATTRIBUTE) ? warmup(exchange, chain)
				: counted(exchange, chain, this.admission.users());
	}

	private Mono<Void> warmup(ServerWebExchange exchange, GatewayFilterChain chain) {
		return Mono.usingWhen(this.admission.permit(),
				(permit) -> permit.isTaken() ? counted(exchange, chain, this.unread) : deferred(exchange),
				(permit) -> Mono.fromRunnable(permit::end));
	}

	private Mono<Void> deferred(ServerWebExchange exchange) {
		this.listeners.forEach((listener) -> listener.onClaim(ClaimOutcome.DEFERRED));
		exchange.getResponse().setStatusCode(HttpStatus.TOO_MANY_REQUESTS);
		exchange.getResponse().getHeaders().set(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
		return exchange.getResponse().setComplete();
	}

	/**
	 * A user waits until the answer begins, since a stream or a WebSocket may go on for
	 * hours. Warm-up is counted the same way, so that this way is warm.
	 */
	private static Mono<Void> counted(ServerWebExchange exchange, GatewayFilterChain chain, AtomicInteger count) {
		return Mono.defer(() -> {
			AtomicBoolean waiting = new AtomicBoolean(true);
			count.incrementAndGet();
			exchange.getResponse().beforeCommit(() -> Mono.fromRunnable(() -> answered(waiting, count)));
			return Mono.defer(() -> chain.filter(exchange)).doFinally((signal) -> answered(waiting, count));
		});
	}

	private static void answered(AtomicBoolean waiting, AtomicInteger count) {
		if (waiting.getAndSet(false)) {
			count.decrementAndGet();
		}
	}

}
