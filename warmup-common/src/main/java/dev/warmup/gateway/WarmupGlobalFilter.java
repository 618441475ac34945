package dev.warmup.gateway;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.warmup.discovery.ClaimVerifier;
import dev.warmup.loadbalancer.RoutableInstances;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.JvmSnapshot;
import dev.warmup.protocol.Listeners;
import dev.warmup.protocol.SignedClaim;
import dev.warmup.protocol.UserActivity;
import dev.warmup.protocol.WarmupClaim;
import dev.warmup.protocol.WarmupKey;
import dev.warmup.web.StrippingWebFilter;
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
 * Separates verified warm-up from users' requests and measures both until the response is
 * committed: warm-up by route, users until the first 100 after a run. A claim that does
 * not verify, or is not the only one, is stripped, and the request goes on as a user's.
 * Where the registry cannot be reached, the answer is 503, so that no genuine warm-up
 * goes to another instance.
 */
final class WarmupGlobalFilter implements GlobalFilter, Ordered {

	/**
	 * Ahead of the filter that writes the response, so that warm-up lasts to the last
	 * byte, with a place between the two for {@link AdmissionFilter}.
	 */
	public static final int ORDER = NettyWriteResponseFilter.WRITE_RESPONSE_FILTER_ORDER - 2;

	/** Marks an exchange whose answer is recorded. */
	private static final String MEASURED = WarmupGlobalFilter.class.getName() + ".measured";

	/** A run looks at no more than ten snapshots a second. */
	private static final Duration SNAPSHOT_AGE = Duration.ofMillis(100);

	private static final Logger logger = LoggerFactory.getLogger(WarmupGlobalFilter.class);

	private final ClaimVerifier verifier;

	private final Fleet fleet;

	private final UserActivity activity;

	private final Listeners<GatewayListener> listeners;

	private final Instance.Source self;

	private final WarmupKey key;

	private final int processors = Runtime.getRuntime().availableProcessors();

	private volatile Snapshot snapshot = new Snapshot("", 0);

	WarmupGlobalFilter(ClaimVerifier verifier, Fleet fleet, UserActivity activity, List<GatewayListener> listeners,
			Instance.Source self, WarmupKey key) {
		this.verifier = verifier;
		this.fleet = fleet;
		this.activity = activity;
		this.listeners = new Listeners<>(listeners);
		this.self = self;
		this.key = key;
	}

	@Override
	public int getOrder() {
		return ORDER;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
		List<String> claims = StrippingWebFilter.claims(exchange);
		if (claims.isEmpty()) {
			return user(exchange, chain);
		}
		return WarmupClaim.parse(claims)
			.map((candidate) -> claimed(candidate, exchange, chain))
			.orElseGet(() -> rejected(exchange, chain));
	}

	private Mono<Void> claimed(WarmupClaim claim, ServerWebExchange exchange, GatewayFilterChain chain) {
		return this.verifier.verify(claim, SignedClaim.Scope.REPLAY).flatMap((verification) -> {
			if (verification instanceof ClaimVerifier.Verification.Verified verified) {
				if (!AdmissionFilter.isAdmitted(exchange)) {
					publish(GatewayListener.ClaimOutcome.ACCEPTED);
				}
				boolean foreign = Routing.route(exchange, claim, verified.instance(), this.self.get().instanceId(),
						this.key);
				return warmup(claim, exchange, foreign, chain);
			}
			if (verification instanceof ClaimVerifier.Verification.Unavailable) {
				publish(GatewayListener.ClaimOutcome.UNAVAILABLE);
				return retryLater(exchange, HttpStatus.SERVICE_UNAVAILABLE);
			}
			return rejected(exchange, chain);
		});
	}

	private Mono<Void> rejected(ServerWebExchange exchange, GatewayFilterChain chain) {
		publish(GatewayListener.ClaimOutcome.REJECTED);
		Routing.forget(exchange);
		return user(exchange, chain);
	}

	private void publish(GatewayListener.ClaimOutcome outcome) {
		this.listeners.each((listener) -> listener.onClaim(outcome));
	}

	/** Answers a genuine claimant that cannot be served now, and may retry soon. */
	static Mono<Void> retryLater(ServerWebExchange exchange, HttpStatus status) {
		Routing.withdraw(exchange);
		return RoutableInstances.retryLater(exchange, status);
	}

	/** Another service's latency is not the claimant's, so it is not measured. */
	private Mono<Void> warmup(WarmupClaim claim, ServerWebExchange exchange, boolean foreign,
			GatewayFilterChain chain) {
		HttpHeaders headers = exchange.getResponse().getHeaders();
		exchange.getResponse().beforeCommit(() -> Mono.fromRunnable(() -> headers.set(JvmSnapshot.HEADER, snapshot())));
		if (foreign) {
			return chain.filter(exchange);
		}
		return measured(exchange, Optional.of(claim), chain);
	}

	private String snapshot() {
		Snapshot last = this.snapshot;
		long now = System.nanoTime();
		if (last.header().isEmpty() || now - last.nanoTime() >= SNAPSHOT_AGE.toNanos()) {
			last = new Snapshot(JvmSnapshot.now(this.self.get().instanceId(), this.processors).format(), now);
			this.snapshot = last;
		}
		return last.header();
	}

	private Mono<Void> user(ServerWebExchange exchange, GatewayFilterChain chain) {
		this.activity.touch();
		return measured(exchange, Optional.empty(), chain);
	}

	/**
	 * Warm-up and users take the same code path, so that it is warm when users come. An
	 * answer counts once, also where a route forwards to another.
	 */
	private Mono<Void> measured(ServerWebExchange exchange, Optional<WarmupClaim> claim, GatewayFilterChain chain) {
		if (exchange.getAttributes().putIfAbsent(MEASURED, true) == null) {
			long arrived = System.nanoTime();
			exchange.getResponse().beforeCommit(() -> Mono.fromRunnable(() -> {
				try {
					answered(exchange, claim, arrived);
				}
				catch (RuntimeException ex) { // must not affect the response
					logger.warn("A request could not be recorded", ex);
				}
			}));
		}
		return chain.filter(exchange);
	}

	private void answered(ServerWebExchange exchange, Optional<WarmupClaim> claim, long arrived) {
		long start = exchange.getAttributeOrDefault(AdmissionFilter.ADMITTED, arrived);
		Duration latency = Duration.ofNanos(System.nanoTime() - start);
		Optional<Instance> chosen = Routing.chosen(exchange);
		if (chosen.isEmpty()) {
			return;
		}
		Instance instance = chosen.get();
		String route = RoutableInstances.routeId(exchange);
		boolean failed = Routing.isFailed(exchange);
		// for users alone, but warm-up executes it, too
		boolean awaited = this.fleet.awaitsUser(instance, route) && !failed && !RoutableInstances.isStream(exchange);
		if (claim.isEmpty() && awaited) {
			this.fleet.userAnswered(instance, route, latency, this.listeners);
		}
		if (claim.isPresent() && instance.instanceId().equals(claim.get().instanceId())) {
			this.fleet.warmupAnswered(instance, claim.get().runId(), route, latency, failed);
		}
	}

	/** The header's value, and when it was made. */
	private record Snapshot(String header, long nanoTime) {

	}

}
