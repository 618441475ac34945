package dev.warmup.gateway;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.warmup.WarmupContext;
import dev.warmup.protocol.WarmupHeader;
import dev.warmup.service.UserActivity;
import reactor.core.publisher.Mono;

import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.gateway.filter.NettyWriteResponseFilter;
import org.springframework.core.Ordered;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;

/**
 * Tells verified warm-up from users. A request whose token the instance that it names
 * does not have is answered 401, so that no warm-up is served as a user's by another
 * instance. Verified warm-up waits for its admission; on a route to its own service it is
 * pinned, elsewhere it goes on without any mark.
 */
final class WarmupGlobalFilter implements GlobalFilter, Ordered {

	/** Ahead of the filter that writes the response, and of all that users share. */
	static final int ORDER = NettyWriteResponseFilter.WRITE_RESPONSE_FILTER_ORDER - 1;

	private static final Set<HttpMethod> SAFE = Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS);

	/** Others wait for the permit of an endless stream. */
	private static final Duration LONGEST = Duration.ofMinutes(1);

	/** Marks a request that has its permit: a route may forward it to another route. */
	private static final String ADMITTED = WarmupGlobalFilter.class.getName() + ".admitted";

	private final Fleet fleet;

	private final Looks looks;

	private final Admission admission;

	private final UserActivity users;

	WarmupGlobalFilter(Fleet fleet, Looks looks, Admission admission, UserActivity users) {
		this.fleet = fleet;
		this.looks = looks;
		this.admission = admission;
		this.users = users;
	}

	@Override
	public int getOrder() {
		return ORDER;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
		Object claim = GatewayWebFilter.claim(exchange);
		if (!(claim instanceof WarmupHeader header)) {
			if (claim != null) {
				this.fleet.claimed(false);
			}
			if (!exchange.getAttributes().containsKey(WarmupContext.ATTRIBUTE)) {
				this.users.touch();
			}
			return chain.filter(exchange);
		}
		if (exchange.getAttributes().containsKey(ADMITTED)) {
			return send(header, exchange, chain);
		}
		return verify(header).flatMap((verified) -> {
			this.fleet.claimed(verified);
			if (verified) {
				return admit(header, exchange, chain);
			}
			exchange.getResponse().getHeaders().setCacheControl(CacheControl.noStore());
			exchange.getResponse().setStatusCode(HttpStatus.UNAUTHORIZED);
			return exchange.getResponse().setComplete();
		});
	}

	private Mono<Boolean> verify(WarmupHeader header) {
		return Mono.justOrEmpty(this.fleet.find(header.instanceId()))
			.flatMap((member) -> (member.knows(header.token()) ? Mono.<Void>empty() : this.looks.lookAgain(member))
				.then(Mono.fromSupplier(() -> member.knows(header.token()))))
			.defaultIfEmpty(false);
	}

	/** The permit ends with the request, or when the response begins. */
	private Mono<Void> admit(WarmupHeader header, ServerWebExchange exchange, GatewayFilterChain chain) {
		return Mono.usingWhen(this.admission.permit(header.instanceId()), (permit) -> {
			if (permit == Admission.REFUSED) {
				exchange.getResponse().getHeaders().set(WarmupHeader.ADMISSION, "full");
				exchange.getResponse().setStatusCode(HttpStatus.TOO_MANY_REQUESTS);
				return exchange.getResponse().setComplete();
			}
			exchange.getAttributes().put(ADMITTED, true);
			exchange.getResponse().beforeCommit(() -> permit.doFirst(() -> nameService(exchange)));
			return send(header, exchange, chain).timeout(LONGEST, Mono
				.error(() -> new ResponseStatusException(HttpStatus.GATEWAY_TIMEOUT, "Warm-up takes too long")));
		}, (permit) -> permit);
	}

	/** An answer without the name of a service is the gateway's own. */
	private static void nameService(ServerWebExchange exchange) {
		Routing.Pinned pinned = Routing.pinned(exchange);
		Optional<String> service = (pinned != null) ? Optional.of(pinned.registered().instance().service())
				: Routing.route(exchange).flatMap((route) -> Routing.host(route.getUri()));
		service.filter((name) -> Routing.isServicesAnswer(exchange))
			.ifPresent((name) -> exchange.getResponse().getHeaders().set(WarmupHeader.SERVICE, name));
	}

	private Mono<Void> send(WarmupHeader header, ServerWebExchange exchange, GatewayFilterChain chain) {
		Map<String, Object> marks = exchange.getAttributes();
		this.fleet.find(header.instanceId()).ifPresent((member) -> Routing.route(exchange).ifPresent((route) -> {
			marks.put(WarmupContext.ATTRIBUTE, new WarmupContext(header.instanceId(), member.runId()));
			marks.put(Bypass.ATTRIBUTE, changesSomething(exchange) || !member.isFirstOf(route.getId()));
			Routing.pin(exchange, Optional.of(new Routing.Pinned(header, member.registered()))
				.filter((pinned) -> Routing.leadsTo(route.getUri(), member.instance().service())));
		}));
		return chain.filter(exchange);
	}

	/** What a breaker gave up on could not be removed. */
	private static boolean changesSomething(ServerWebExchange exchange) {
		return !SAFE.contains(exchange.getRequest().getMethod());
	}

}
