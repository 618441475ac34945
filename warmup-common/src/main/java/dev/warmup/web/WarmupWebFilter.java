package dev.warmup.web;

import java.time.Clock;
import java.util.List;
import java.util.function.Supplier;

import dev.warmup.WarmupContext;
import dev.warmup.protocol.InternalPaths;
import dev.warmup.protocol.UserActivity;
import dev.warmup.protocol.WarmupClaim;
import dev.warmup.protocol.WarmupToken;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * In a reactive service: marks warm-up requests for the application, proves to its own
 * who answered, turns away another instance's with 421, and winds the idle clock for all
 * that is not proved to be warm-up.
 */
public final class WarmupWebFilter implements WebFilter, Ordered {

	/** Ahead of Spring Security (-100), which may turn a request away unmarked. */
	public static final int ORDER = Ordered.HIGHEST_PRECEDENCE + 100;

	private final Supplier<String> instanceId;

	private final WarmupToken token;

	private final UserActivity idleClock;

	private final InternalPaths ownTraffic;

	/** Wound by warm-up, so that users' way is no other than that, and as warm. */
	private final UserActivity unread = new UserActivity(Clock.systemUTC());

	/**
	 * Creates the filter.
	 * @param instanceId the name of this instance in discovery, asked for at each warm-up
	 * request
	 * @param token the secret that warm-up of this instance carries
	 * @param idleClock the clock to wind
	 * @param ownTraffic which paths are no user's; claims to those of the library itself
	 * are left to whoever answers there
	 */
	public WarmupWebFilter(Supplier<String> instanceId, WarmupToken token, UserActivity idleClock,
			InternalPaths ownTraffic) {
		this.instanceId = instanceId;
		this.token = token;
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
		List<String> headers = exchange.getRequest().getHeaders().getOrEmpty(WarmupClaim.HEADER);
		if (headers.isEmpty() || InternalPaths.isOfTheLibrary(path)) {
			return timed(path, chain.filter(exchange).contextWrite(ContextMark.NONE), this.idleClock);
		}
		String self = this.instanceId.get();
		ClaimCheck recognition = ClaimCheck.of(headers, self, this.token);
		recognition.mark().ifPresent((mark) -> exchange.getAttributes().put(WarmupContext.ATTRIBUTE, mark));
		return switch (recognition.kind()) {
			case OWN -> {
				exchange.getResponse().getHeaders().set(WarmupClaim.INSTANCE_HEADER, self);
				yield timed(path, marked(recognition, exchange, chain), this.unread);
			}
			case MARKED -> timed(path, marked(recognition, exchange, chain), this.idleClock);
			case MISDIRECTED -> {
				exchange.getResponse().setStatusCode(HttpStatus.MISDIRECTED_REQUEST);
				yield exchange.getResponse().setComplete();
			}
			case USER -> timed(path, chain.filter(exchange).contextWrite(ContextMark.NONE), this.idleClock);
		};
	}

	private static Mono<Void> marked(ClaimCheck warmup, ServerWebExchange exchange, WebFilterChain chain) {
		return chain.filter(exchange).contextWrite(ContextMark.of(warmup.mark().orElseThrow()));
	}

	private Mono<Void> timed(String path, Mono<Void> answer, UserActivity clock) {
		return this.ownTraffic.covers(path) ? answer : answer.doFirst(clock::begin).doFinally((signal) -> clock.end());
	}

}
