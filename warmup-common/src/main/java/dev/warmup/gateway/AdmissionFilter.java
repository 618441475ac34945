package dev.warmup.gateway;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.warmup.WarmupContext;
import dev.warmup.protocol.Listeners;
import dev.warmup.protocol.WarmupClaim;
import reactor.core.publisher.Mono;

import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.core.Ordered;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ServerWebExchange;

/**
 * Answers 429 with {@code Retry-After: 1} to a verified warm-up request that gets no
 * permit, and cuts one off that lasts longer than a minute, such as an endless stream:
 * others wait for its permit. Users' requests never wait for one.
 */
final class AdmissionFilter implements GlobalFilter, Ordered {

	/**
	 * Behind the filter that separates warm-up from users, and ahead of all that would
	 * work for a request needlessly: routing, limiters, circuit breakers. Ahead of the
	 * filter that writes the response, too, so that a permit is held to the last byte.
	 */
	public static final int ORDER = WarmupGlobalFilter.ORDER + 1;

	/** Longer than any request that warms. */
	static final Duration LONGEST = Duration.ofMinutes(1);

	/** When a request was admitted, by {@link System#nanoTime()}. */
	static final String ADMITTED = AdmissionFilter.class.getName() + ".admitted";

	/** The permit of a request, while it has one. */
	private static final String PERMIT = AdmissionFilter.class.getName() + ".permit";

	private final Admission admission;

	private final Listeners<GatewayListener> listeners;

	AdmissionFilter(Admission admission, List<GatewayListener> listeners) {
		this.admission = admission;
		this.listeners = new Listeners<>(listeners);
	}

	@Override
	public int getOrder() {
		return ORDER;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
		return (exchange.getAttribute(WarmupContext.ATTRIBUTE) instanceof WarmupContext warmup)
				? warmup(warmup, exchange, chain) : chain.filter(exchange);
	}

	private Mono<Void> warmup(WarmupContext warmup, ServerWebExchange exchange, GatewayFilterChain chain) {
		if (isAdmitted(exchange)) {
			return chain.filter(exchange); // a route forwards it to another
		}
		return Mono.defer(() -> {
			long arrived = System.nanoTime();
			return Mono.usingWhen(this.admission.permit(warmup.instanceId()), (permit) -> {
				if (!permit.isTaken()) {
					this.listeners.each((listener) -> listener.onClaim(GatewayListener.ClaimOutcome.DEFERRED));
					return WarmupGlobalFilter.retryLater(exchange, HttpStatus.TOO_MANY_REQUESTS);
				}
				exchange.getAttributes().put(PERMIT, permit);
				admitted(exchange, arrived);
				return chain.filter(exchange).timeout(LONGEST, cutOff(exchange));
			}, (permit) -> Mono.fromRunnable(() -> {
				exchange.getAttributes().remove(PERMIT);
				permit.end();
			}));
		});
	}

	/** Whether a request has a permit. */
	static boolean isAdmitted(ServerWebExchange exchange) {
		return exchange.getAttributes().containsKey(PERMIT);
	}

	/** The wait for others is no measure of how warm the instance is. */
	private static void admitted(ServerWebExchange exchange, long arrived) {
		long now = System.nanoTime();
		exchange.getAttributes().put(ADMITTED, now);
		long queued = TimeUnit.NANOSECONDS.toMillis(now - arrived);
		exchange.getResponse()
			.beforeCommit(() -> Mono.fromRunnable(
					() -> exchange.getResponse().getHeaders().set(WarmupClaim.QUEUED_HEADER, Long.toString(queued))));
	}

	/** 504 if the response is not committed yet; otherwise the response is aborted. */
	private static Mono<Void> cutOff(ServerWebExchange exchange) {
		return Mono.defer(() -> {
			if (exchange.getResponse().isCommitted()) {
				return Mono.error(new IOException("Warm-up request cut off after " + LONGEST.toSeconds() + " s"));
			}
			exchange.getResponse().setStatusCode(HttpStatus.GATEWAY_TIMEOUT);
			return exchange.getResponse().setComplete();
		});
	}

}
