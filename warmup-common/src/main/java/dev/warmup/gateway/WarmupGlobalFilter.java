package dev.warmup.gateway;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

import dev.warmup.record.Instance;
import dev.warmup.steady.JvmReading;
import dev.warmup.traffic.IdleClock;
import dev.warmup.traffic.WarmupClaim;
import dev.warmup.verify.ClaimVerifier;
import dev.warmup.verify.Verification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.Response;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.gateway.filter.NettyWriteResponseFilter;
import org.springframework.cloud.gateway.route.Route;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.server.ServerWebExchange;

/**
 * Tells warm-up traffic from users' at the gateway and times both until the answer
 * begins: warm-up by route and service, users until the first 100 after a run. A claim
 * that is not believed, or not the only one, is stripped, and the request goes on as a
 * user's; one that nobody can judge is answered by 503, lest a genuine one be sent
 * astray.
 */
public final class WarmupGlobalFilter implements GlobalFilter, Ordered {

	/**
	 * Ahead of the filter that writes the answer, so that warm-up goes on to its last
	 * byte, with a place between the two for {@link AdmissionFilter}.
	 */
	public static final int ORDER = NettyWriteResponseFilter.WRITE_RESPONSE_FILTER_ORDER - 2;

	/** In seconds: where a genuine claimant is turned away, it may well come again. */
	static final String RETRY_AFTER = "1";

	private static final Logger logger = LoggerFactory.getLogger(WarmupGlobalFilter.class);

	private final ClaimVerifier verifier;

	private final Fleet fleet;

	private final IdleClock idleClock;

	private final List<GatewayListener> listeners;

	private final Supplier<JvmReading> self;

	/** Made here, as the first user would wait for it. */
	private final Note ofUser = this::userAnswered;

	/**
	 * Creates the filter.
	 * @param verifier decides which claims to believe
	 * @param fleet is told of every request
	 * @param idleClock is wound for users' requests
	 * @param listeners are told of claims
	 * @param self what this gateway tells of itself in answers to verified warm-up
	 */
	public WarmupGlobalFilter(ClaimVerifier verifier, Fleet fleet, IdleClock idleClock, List<GatewayListener> listeners,
			Supplier<JvmReading> self) {
		this.verifier = verifier;
		this.fleet = fleet;
		this.idleClock = idleClock;
		this.listeners = List.copyOf(listeners);
		this.self = self;
	}

	@Override
	public int getOrder() {
		return ORDER;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
		List<String> headers = exchange.getRequest().getHeaders().getOrEmpty(WarmupClaim.HEADER);
		if (headers.isEmpty()) {
			return user(exchange, chain);
		}
		Optional<WarmupClaim> claim = (headers.size() == 1) ? WarmupClaim.parse(headers.get(0)) : Optional.empty();
		return claim.map((candidate) -> claimed(candidate, exchange, chain)).orElseGet(() -> rejected(exchange, chain));
	}

	private Mono<Void> claimed(WarmupClaim claim, ServerWebExchange exchange, GatewayFilterChain chain) {
		return this.verifier.verify(claim).flatMap((verification) -> {
			if (verification instanceof Verification.Verified verified) {
				told(ClaimOutcome.ACCEPTED);
				return warmup(claim, Course.of(exchange, claim, verified.instance()), chain);
			}
			if (verification instanceof Verification.Unavailable) {
				told(ClaimOutcome.UNAVAILABLE);
				return turnedAway(exchange, HttpStatus.SERVICE_UNAVAILABLE);
			}
			return rejected(exchange, chain);
		});
	}

	private Mono<Void> rejected(ServerWebExchange exchange, GatewayFilterChain chain) {
		told(ClaimOutcome.REJECTED);
		return user(stripped(exchange), chain);
	}

	private void told(ClaimOutcome outcome) {
		this.listeners.forEach((listener) -> listener.onClaim(outcome));
	}

	private static Mono<Void> turnedAway(ServerWebExchange exchange, HttpStatus status) {
		exchange.getResponse().setStatusCode(status);
		exchange.getResponse().getHeaders().set(HttpHeaders.RETRY_AFTER, RETRY_AFTER);
		return exchange.getResponse().setComplete();
	}

	/**
	 * What other services take is not the claimant's to be judged by, so it is not timed.
	 */
	private Mono<Void> warmup(WarmupClaim claim, Course course, GatewayFilterChain chain) {
		ServerWebExchange exchange = course.exchange();
		HttpHeaders answer = exchange.getResponse().getHeaders();
		exchange.getResponse().beforeCommit(() -> {
			answer.set(JvmReading.HEADER, this.self.get().format());
			return Mono.empty();
		});
		if (course.foreign()) {
			return chain.filter(exchange);
		}
		return noted(exchange, chain,
				(noted, answered, begin) -> this.fleet.warmupAnswered(
						new Instance(answered.service(), claim.instanceId()), claim.runId(), routeId(noted),
						begin.latency().orElseGet(begin::elapsed), failed(noted)));
	}

	private Mono<Void> user(ServerWebExchange exchange, GatewayFilterChain chain) {
		this.idleClock.wind();
		return noted(exchange, chain, this.ofUser);
	}

	private void userAnswered(ServerWebExchange exchange, Instance answered, AnswerBegin begin) {
		String route = routeId(exchange);
		if (this.fleet.awaitsUser(answered, route) && !failed(exchange) && !Streams.isStream(exchange)) {
			begin.latency().ifPresent((latency) -> this.fleet.userAnswered(answered, route, latency, this.listeners));
		}
	}

	/**
	 * The one way for warm-up and users, which the former makes warm for the latter. What
	 * is noted is noted once the answer has ended, so that nobody waits for it.
	 */
	private static Mono<Void> noted(ServerWebExchange exchange, GatewayFilterChain chain, Note note) {
		AnswerBegin begin = AnswerBegin.of(exchange.getResponse());
		return chain.filter(exchange).doFinally((signal) -> {
			try {
				answeredBy(exchange).ifPresent((answered) -> note.of(exchange, answered, begin));
			}
			catch (RuntimeException ex) {
				logger.warn("A request could not be noted", ex);
			}
		});
	}

	private static ServerWebExchange stripped(ServerWebExchange exchange) {
		return exchange.mutate()
			.request((request) -> request.headers((headers) -> headers.remove(WarmupClaim.HEADER)))
			.build();
	}

	private static Optional<Instance> answeredBy(ServerWebExchange exchange) {
		Object response = exchange.getAttribute(ServerWebExchangeUtils.GATEWAY_LOADBALANCER_RESPONSE_ATTR);
		if (response instanceof Response<?> chosen && chosen.hasServer()
				&& chosen.getServer() instanceof ServiceInstance instance && instance.getInstanceId() != null) {
			return Optional
				.of(new Instance(instance.getServiceId().toLowerCase(Locale.ROOT), instance.getInstanceId()));
		}
		return Optional.empty();
	}

	private static String routeId(ServerWebExchange exchange) {
		Route route = exchange.getAttribute(ServerWebExchangeUtils.GATEWAY_ROUTE_ATTR);
		return (route != null) ? route.getId() : "";
	}

	private static boolean failed(ServerWebExchange exchange) {
		HttpStatusCode status = exchange.getResponse().getStatusCode();
		return status == null || status.is5xxServerError();
	}

	/** What becomes of a request that was answered. */
	@FunctionalInterface
	private interface Note {

		void of(ServerWebExchange exchange, Instance answered, AnswerBegin begin);

	}

}
