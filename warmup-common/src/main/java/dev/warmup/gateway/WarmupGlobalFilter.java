package dev.warmup.gateway;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import dev.warmup.discovery.ClaimVerifier;
import dev.warmup.discovery.Verification;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.JvmReading;
import dev.warmup.protocol.UserActivity;
import dev.warmup.protocol.WarmupClaim;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.gateway.filter.NettyWriteResponseFilter;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
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

	private final UserActivity idleClock;

	private final List<GatewayListener> listeners;

	private final Supplier<JvmReading> self;

	private final Note ofUser = new OfUser();

	private final FirstUserRecorder teller;

	/**
	 * Creates the filter.
	 * @param verifier decides which claims to believe
	 * @param fleet is told of every request
	 * @param idleClock is wound for users' requests
	 * @param listeners are told of claims
	 * @param self what this gateway tells of itself in answers to verified warm-up
	 */
	public WarmupGlobalFilter(ClaimVerifier verifier, Fleet fleet, UserActivity idleClock,
			List<GatewayListener> listeners, Supplier<JvmReading> self) {
		this.verifier = verifier;
		this.fleet = fleet;
		this.idleClock = idleClock;
		this.listeners = List.copyOf(listeners);
		this.self = self;
		this.teller = new FirstUserRecorder(fleet, this.listeners);
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
				return warmup(claim, Routing.of(exchange, claim, verified.instance()), chain);
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
	private Mono<Void> warmup(WarmupClaim claim, Routing course, GatewayFilterChain chain) {
		ServerWebExchange exchange = course.exchange();
		HttpHeaders answer = exchange.getResponse().getHeaders();
		exchange.getResponse().beforeCommit(() -> {
			answer.set(JvmReading.HEADER, this.self.get().format());
			return Mono.empty();
		});
		if (course.foreign()) {
			return chain.filter(exchange);
		}
		return noted(exchange, chain, new OfWarmup(claim));
	}

	private Mono<Void> user(ServerWebExchange exchange, GatewayFilterChain chain) {
		this.idleClock.touch();
		return noted(exchange, chain, this.ofUser);
	}

	/** The one way for warm-up and users, which the former makes warm for the latter. */
	private static Mono<Void> noted(ServerWebExchange exchange, GatewayFilterChain chain, Note note) {
		long start = System.nanoTime();
		AtomicReference<@Nullable Duration> began = new AtomicReference<>();
		exchange.getResponse().beforeCommit(() -> {
			Duration latency = Duration.ofNanos(System.nanoTime() - start);
			began.set(latency);
			note(() -> note.begun(exchange, latency));
			return Mono.empty();
		});
		return chain.filter(exchange).doFinally((signal) -> {
			Duration latency = began.get();
			note(() -> note.ended(exchange, (latency != null) ? latency : Duration.ofNanos(System.nanoTime() - start)));
		});
	}

	/** No mistake in what is noted does the answer any harm. */
	private static void note(Runnable what) {
		try {
			what.run();
		}
		catch (RuntimeException ex) {
			logger.warn("A request could not be noted", ex);
		}
	}

	private static ServerWebExchange stripped(ServerWebExchange exchange) {
		return exchange.mutate()
			.request((request) -> request.headers((headers) -> headers.remove(WarmupClaim.HEADER)))
			.build();
	}

	/** Who answered, if the gateway waits for this user's latency. */
	private @Nullable Instance awaited(ServerWebExchange exchange) {
		Instance answered = Routed.to(exchange);
		return (answered != null && !Routed.failed(exchange) && !Streams.isStream(exchange)
				&& this.fleet.awaitsUser(answered, Routed.route(exchange))) ? answered : null;
	}

	/**
	 * What is noted of a request: as its answer begins, which waits for that, and once it
	 * has ended.
	 */
	private interface Note {

		void begun(ServerWebExchange exchange, Duration latency);

		void ended(ServerWebExchange exchange, Duration latency);

	}

	private final class OfWarmup implements Note {

		private final WarmupClaim claim;

		OfWarmup(WarmupClaim claim) {
			this.claim = claim;
		}

		/** Does what is done for users, so that they are not the first. */
		@Override
		public void begun(ServerWebExchange exchange, Duration latency) {
			awaited(exchange);
			WarmupGlobalFilter.this.teller.tell(null, Routed.route(exchange), latency);
		}

		@Override
		public void ended(ServerWebExchange exchange, Duration latency) {
			Instance answered = Routed.to(exchange);
			if (answered != null) {
				WarmupGlobalFilter.this.fleet.warmupAnswered(new Instance(answered.service(), this.claim.instanceId()),
						this.claim.runId(), Routed.route(exchange), latency, Routed.failed(exchange));
			}
		}

	}

	/** Noted at the begin, since what is no stream may go on for hours, too. */
	private final class OfUser implements Note {

		@Override
		public void begun(ServerWebExchange exchange, Duration latency) {
			Instance answered = awaited(exchange);
			if (answered != null) {
				WarmupGlobalFilter.this.teller.tell(answered, Routed.route(exchange), latency);
			}
		}

		@Override
		public void ended(ServerWebExchange exchange, Duration latency) {
		}

	}

}
