package dev.warmup.e2e.adopter;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import reactor.core.publisher.Mono;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cloud.gateway.filter.ratelimit.KeyResolver;
import org.springframework.cloud.netflix.eureka.server.EnableEurekaServer;
import org.springframework.context.annotation.Bean;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;

/** The applications around the servlet service. */
final class Applications {

	private Applications() {
	}

	/** A Eureka server. */
	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableEurekaServer
	static class Registry {

	}

	/**
	 * A gateway on each of whose routes users share a limit, a circuit breaker with a
	 * fallback, and retries.
	 */
	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Gateway {

		static final String USER = "X-User";

		/** The user of requests without that header, such as those of a catalog. */
		static final String ANONYMOUS = "anonymous";

		private static final String FILTERS = "spring.cloud.gateway.server.webflux.default-filters";

		static final List<String> PROPERTIES = List.of("spring.application.name=gateway",
				FILTERS + "[0].name=RequestRateLimiter", FILTERS + "[1].name=CircuitBreaker",
				FILTERS + "[1].args.fallbackUri=forward:/fallback", FILTERS + "[1].args.statusCodes=500",
				FILTERS + "[2].name=Retry", FILTERS + "[2].args.retries=1",
				"spring.cloud.gateway.server.webflux.routes[0].id=accounts",
				"spring.cloud.gateway.server.webflux.routes[0].uri=lb://accounts",
				"spring.cloud.gateway.server.webflux.routes[0].predicates[0]=Path=/accounts/**",
				"spring.cloud.gateway.server.webflux.routes[0].filters[0]=StripPrefix=1",
				"spring.cloud.gateway.server.webflux.routes[1].id=quotes",
				"spring.cloud.gateway.server.webflux.routes[1].uri=lb://quotes",
				"spring.cloud.gateway.server.webflux.routes[1].predicates[0]=Path=/quotes/**",
				"spring.cloud.gateway.server.webflux.routes[1].filters[0]=StripPrefix=1",
				"spring.cloud.gateway.server.webflux.routes[2].id=absent",
				"spring.cloud.gateway.server.webflux.routes[2].uri=lb://absent",
				"spring.cloud.gateway.server.webflux.routes[2].predicates[0]=Path=/absent/**");

		@Bean
		Permits permits() {
			return new Permits();
		}

		@Bean
		KeyResolver userResolver() {
			return (exchange) -> Mono
				.just(Optional.ofNullable(exchange.getRequest().getHeaders().getFirst(USER)).orElse(ANONYMOUS));
		}

		@Bean
		RouterFunction<ServerResponse> fallback() {
			return RouterFunctions.route()
				.GET("/fallback", (request) -> ServerResponse.ok().bodyValue("fallback"))
				.build();
		}

	}

	/** A service on WebFlux. */
	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Quotes {

		@Bean
		RouterFunction<ServerResponse> quotes() {
			return RouterFunctions.route()
				.GET("/quotes/{symbol}",
						(request) -> ServerResponse.ok().bodyValue(Map.of("symbol", request.pathVariable("symbol"))))
				.build();
		}

	}

}
