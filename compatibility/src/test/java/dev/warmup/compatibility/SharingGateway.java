package dev.warmup.compatibility;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.reactor.netty.NettyServerCustomizer;
import org.springframework.cloud.gateway.filter.ratelimit.KeyResolver;
import org.springframework.context.annotation.Bean;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * A gateway on each of whose routes users share a limit, a circuit breaker with a
 * fallback, and retries.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class SharingGateway {

	static final String USER = "X-User";

	static final String FALLBACK = "nobody is in";

	/** How many calls a breaker judges by. */
	static final int WINDOW = 2;

	private static final String FILTERS = "spring.cloud.gateway.server.webflux.default-filters";

	/** What makes it one, besides the routes. */
	static final List<String> PROPERTIES = List.of("spring.application.name=gateway",
			"management.endpoint.gateway.access=unrestricted", FILTERS + "[0].name=RequestRateLimiter",
			FILTERS + "[1].name=CircuitBreaker", FILTERS + "[1].args.fallbackUri=forward:/fallback",
			FILTERS + "[1].args.statusCodes=500", FILTERS + "[2].name=Retry", FILTERS + "[2].args.retries=1",
			"resilience4j.circuitbreaker.configs.default.sliding-window-size=" + WINDOW,
			"resilience4j.circuitbreaker.configs.default.minimum-number-of-calls=" + WINDOW);

	/** A route from {@code /<service>/**} to a service. */
	static Stream<String> route(int index, String service) {
		String route = "spring.cloud.gateway.server.webflux.routes[" + index + "].";
		return Stream.of(route + "id=" + service, route + "uri=lb://" + service,
				route + "predicates[0]=Path=/" + service + "/**", route + "filters[0]=StripPrefix=1");
	}

	@Bean
	Permits permits() {
		return new Permits();
	}

	@Bean
	KeyResolver userResolver() {
		return (exchange) -> Mono
			.just(Optional.ofNullable(exchange.getRequest().getHeaders().getFirst(USER)).orElse("somebody"));
	}

	@Bean
	RouterFunction<ServerResponse> fallback() {
		return RouterFunctions.route().GET("/fallback", (request) -> ServerResponse.ok().bodyValue(FALLBACK)).build();
	}

	/** See docs/decisions/0002-embedded-database.md. */
	@Bean
	NettyServerCustomizer keepAliveGuard() {
		return (server) -> server.mapHandle((handling, connection) -> handling
			.subscribeOn(Schedulers.fromExecutor(connection.channel().eventLoop())));
	}

}
