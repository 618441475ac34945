package dev.warmup.e2e.adopter;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import reactor.core.publisher.Mono;

import org.springframework.cloud.gateway.filter.ratelimit.RateLimiter;

/** A limit of {@value #EACH} requests a user, on all routes together and forever. */
final class Permits implements RateLimiter<Object> {

	static final int EACH = 8;

	private final Map<String, Integer> spent = new ConcurrentHashMap<>();

	@Override
	public Mono<Response> isAllowed(String routeId, String id) {
		return Mono.fromSupplier(() -> this.spent.merge(id, 1, Integer::sum))
			.map((spent) -> new Response(spent <= EACH, Map.of("X-Spent", spent.toString())));
	}

	/** How many each user has asked for so far. */
	Map<String, Integer> spent() {
		return Map.copyOf(this.spent);
	}

	@Override
	public Map<String, Object> getConfig() {
		return new HashMap<>();
	}

	@Override
	public Class<Object> getConfigClass() {
		return Object.class;
	}

	@Override
	public Object newConfig() {
		return new Object();
	}

}
