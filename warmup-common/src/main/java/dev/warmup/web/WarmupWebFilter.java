package dev.warmup.web;

import java.util.function.Function;

import dev.warmup.WarmupContext;
import dev.warmup.protocol.InternalPaths;
import dev.warmup.protocol.MonotonicClock;
import dev.warmup.protocol.UserActivity;
import dev.warmup.protocol.WarmupClaim;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

import org.springframework.core.Ordered;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * In a reactive service: marks warm-up requests for the application, which does not see
 * their claim, names this instance in the response to its own, rejects another instance's
 * with 421, and records any other request as user activity.
 */
final class WarmupWebFilter implements WebFilter, Ordered {

	/**
	 * Ahead of Spring Security (-100), which may reject a request before it is marked.
	 */
	public static final int ORDER = Ordered.HIGHEST_PRECEDENCE + 100;

	private final ClaimCheck claims;

	private final UserActivity users;

	private final InternalPaths internalPaths;

	/** Lets warm-up execute the same code as user requests; never read. */
	private final UserActivity unread = new UserActivity(MonotonicClock.system());

	/** Claims sent to the library's own paths are removed, not verified. */
	WarmupWebFilter(ClaimCheck claims, UserActivity users, InternalPaths internalPaths) {
		this.claims = claims;
		this.users = users;
		this.internalPaths = internalPaths;
	}

	@Override
	public int getOrder() {
		return ORDER;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		String path = exchange.getRequest().getPath().pathWithinApplication().value();
		ServerWebExchange stripped = StrippingWebFilter.strip(exchange);
		if (InternalPaths.isOfTheLibrary(path)) {
			return handle(ClaimCheck.Result.USER, path, stripped, chain);
		}
		// also for users: they get the subscribers that were compiled for warm-up
		return this.claims.of(StrippingWebFilter.claims(stripped))
			.flatMap((check) -> handle(check, path, stripped, chain));
	}

	private Mono<Void> handle(ClaimCheck.Result check, String path, ServerWebExchange exchange, WebFilterChain chain) {
		if (check.misdirected()) {
			exchange.getResponse().setStatusCode(HttpStatus.MISDIRECTED_REQUEST);
			return exchange.getResponse().setComplete();
		}
		if (check.own()) {
			exchange.getResponse().getHeaders().set(WarmupClaim.INSTANCE_HEADER, this.claims.instanceId());
		}
		check.mark().ifPresent((mark) -> exchange.getAttributes().put(WarmupContext.ATTRIBUTE, mark));
		Mono<Void> response = chain.filter(exchange)
			.contextWrite(check.mark().map(ContextMark::of).orElse(ContextMark.NONE));
		if (this.internalPaths.covers(path)) {
			return response;
		}
		if (check.foreign()) {
			return response.doFirst(this.users::beginWarmup).doFinally((signal) -> this.users.endWarmup());
		}
		UserActivity activity = check.own() ? this.unread : this.users;
		return response.doFirst(activity::begin).doFinally((signal) -> activity.end());
	}

	/**
	 * Adds one entry to the Reactor context: the {@link WarmupContext} for warm-up, and a
	 * placeholder for users. Reactor has a class for each number of entries, and code
	 * that the JVM compiled for the class seen in warm-up would be discarded when users
	 * brought another.
	 */
	private record ContextMark(Class<?> key, Object value) implements Function<Context, Context> {

		static final ContextMark NONE = new ContextMark(ContextMark.class, false);

		static ContextMark of(WarmupContext warmup) {
			return new ContextMark(WarmupContext.class, warmup);
		}

		@Override
		public Context apply(Context context) {
			return context.put(this.key, this.value);
		}

	}

}
