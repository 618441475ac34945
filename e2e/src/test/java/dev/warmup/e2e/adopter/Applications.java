package dev.warmup.e2e.adopter;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.timelimiter.TimeLimiterConfig;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cloud.circuitbreaker.resilience4j.ReactiveResilience4JCircuitBreakerFactory;
import org.springframework.cloud.circuitbreaker.resilience4j.Resilience4JConfigBuilder;
import org.springframework.cloud.client.circuitbreaker.Customizer;
import org.springframework.cloud.client.loadbalancer.LoadBalanced;
import org.springframework.cloud.gateway.filter.ratelimit.KeyResolver;
import org.springframework.cloud.gateway.filter.ratelimit.RateLimiter;
import org.springframework.cloud.netflix.eureka.server.EnableEurekaServer;
import org.springframework.context.annotation.Bean;
import org.springframework.web.reactive.function.client.WebClient;
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

		private static final String SERVER = "spring.cloud.gateway.server.webflux.";

		static final List<String> PROPERTIES = List.of("spring.application.name=gateway",
				SERVER + "default-filters[0].name=RequestRateLimiter",
				SERVER + "default-filters[1].name=CircuitBreaker",
				SERVER + "default-filters[1].args.fallbackUri=forward:/fallback",
				SERVER + "default-filters[1].args.statusCodes=500", SERVER + "default-filters[2].name=Retry",
				SERVER + "default-filters[2].args.retries=1", SERVER + "routes[0].id=accounts",
				SERVER + "routes[0].uri=lb://accounts", SERVER + "routes[0].predicates[0]=Path=/accounts/**",
				SERVER + "routes[0].filters[0]=StripPrefix=1", SERVER + "routes[1].id=quotes",
				SERVER + "routes[1].uri=lb://quotes", SERVER + "routes[1].predicates[0]=Path=/quotes/**",
				SERVER + "routes[1].filters[0]=StripPrefix=1", SERVER + "routes[2].id=phantom",
				SERVER + "routes[2].uri=forward:/fallback", SERVER + "routes[2].predicates[0]=Path=/phantom/**");

		@Bean
		Permits permits() {
			return new Permits();
		}

		/**
		 * As by default, but for the 60 s that an open breaker waits: in them it would
		 * decide over the errors of a cold start, more than what opened it.
		 * @param limit of an answer
		 */
		@Bean
		Customizer<ReactiveResilience4JCircuitBreakerFactory> breakers(@Value("${breaker.limit:1s}") Duration limit) {
			CircuitBreakerConfig config = CircuitBreakerConfig.custom()
				.waitDurationInOpenState(Duration.ofSeconds(2))
				.build();
			return (factory) -> factory
				.configureDefault((id) -> new Resilience4JConfigBuilder(id).circuitBreakerConfig(config)
					.timeLimiterConfig(TimeLimiterConfig.custom().timeoutDuration(limit).build())
					.build());
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

	/** A gateway that also answers a request itself, by two of another service. */
	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Aggregator {

		@Bean
		@LoadBalanced
		WebClient.Builder balanced() {
			return WebClient.builder();
		}

		@Bean
		RouterFunction<ServerResponse> overview(@LoadBalanced WebClient.Builder balanced) {
			WebClient inventory = balanced.baseUrl("http://inventory").build();
			return RouterFunctions.route()
				.GET("/overview",
						(request) -> Mono
							.zip(get(inventory, "/stock"), get(inventory, "/instance"), "%s at %s"::formatted)
							.flatMap(ServerResponse.ok()::bodyValue))
				.build();
		}

		private static Mono<String> get(WebClient client, String path) {
			return client.get().uri(path).retrieve().bodyToMono(String.class);
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

	/** A limit of {@value #EACH} requests a user, on all routes together and forever. */
	static final class Permits implements RateLimiter<Object> {

		static final int EACH = 50;

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

}
