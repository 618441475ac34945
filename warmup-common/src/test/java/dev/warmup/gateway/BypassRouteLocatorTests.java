package dev.warmup.gateway;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import dev.warmup.WarmupContext;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.filter.OrderedGatewayFilter;
import org.springframework.cloud.gateway.filter.factory.RequestRateLimiterGatewayFilterFactory;
import org.springframework.cloud.gateway.filter.factory.RetryGatewayFilterFactory;
import org.springframework.cloud.gateway.filter.factory.RetryGatewayFilterFactory.RetryConfig;
import org.springframework.cloud.gateway.filter.factory.StripPrefixGatewayFilterFactory;
import org.springframework.cloud.gateway.route.Route;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.server.ServerWebExchange;

import static org.assertj.core.api.Assertions.assertThat;

class BypassRouteLocatorTests {

	private static final GatewayFilter STRIP = new StripPrefixGatewayFilterFactory()
		.apply((config) -> config.setParts(1));

	private final AtomicInteger passed = new AtomicInteger();

	private final Runnable onPassed = this.passed::incrementAndGet;

	private final GatewayFilter refusing = new Refusing();

	@Test
	void warmupPassesAFilterByAndUsersDoNot() {
		GatewayFilter filter = onlyFilter(route(this.refusing), Refusing.class::isInstance);
		assertThat(reachesTheEnd(filter, user())).isFalse();
		assertThat(this.passed).hasValue(0);
		assertThat(reachesTheEnd(filter, warmup())).isTrue();
		assertThat(this.passed).hasValue(1);
	}

	@Test
	void placeAndNameAreTheFiltersOwn() {
		GatewayFilter ordered = new OrderedGatewayFilter(this.refusing, 7);
		GatewayFilter filter = onlyFilter(route(ordered), Refusing.class::isInstance);
		assertThat(filter).isNotSameAs(ordered).hasToString(ordered.toString());
		assertThat(order(filter)).isEqualTo(7);
		assertThat(order(onlyFilter(route(this.refusing), Refusing.class::isInstance))).isEqualTo(12);
		GatewayFilter last = (exchange, chain) -> chain.filter(exchange);
		assertThat(order(onlyFilter(route(last), (any) -> true))).isEqualTo(Ordered.LOWEST_PRECEDENCE);
	}

	@Test
	void nothingElseOfARouteChanges() {
		Route route = route(STRIP, this.refusing);
		Route passing = locate(route, Refusing.class::isInstance);
		assertThat(passing).isNotEqualTo(route)
			.usingRecursiveComparison()
			.ignoringFields("gatewayFilters")
			.isEqualTo(route);
		assertThat(passing.getFilters()).hasSize(2).startsWith(STRIP).doesNotContain(this.refusing);
		assertThat(locate(route, (filter) -> false)).isSameAs(route);
		assertThat(locate(route, Refusing.class::isInstance)).isEqualTo(passing);
	}

	@Test
	void routesAreFoundByMetadataToo() {
		RouteLocator locator = locator(route(this.refusing), Refusing.class::isInstance);
		StepVerifier
			.create(locator.getRoutesByMetadata(Map.of("team", "chat")).map((route) -> route.getFilters().get(0)))
			.assertNext((filter) -> assertThat(reachesTheEnd(filter, warmup())).isTrue())
			.expectComplete()
			.verify(Duration.ofSeconds(30));
		StepVerifier.create(locator.getRoutesByMetadata(Map.of("team", "billing")))
			.expectComplete()
			.verify(Duration.ofSeconds(30));
	}

	@Test
	void filtersAreKnownByTheFactoryThatMadeThem() {
		SharedFilters standard = SharedFilters.standard();
		assertThat(standard.covers(new RetryGatewayFilterFactory().apply(new RetryConfig()))).isTrue();
		assertThat(standard.covers(new RetryGatewayFilterFactory().apply("route", null, null))).isTrue();
		assertThat(standard.covers(limiter())).isTrue();
		assertThat(standard.covers(STRIP)).isFalse();
		assertThat(standard.covers(this.refusing)).isFalse();
	}

	private static GatewayFilter limiter() {
		RequestRateLimiterGatewayFilterFactory factory = new RequestRateLimiterGatewayFilterFactory(null,
				(exchange) -> Mono.just("key"));
		return factory.apply(new RequestRateLimiterGatewayFilterFactory.Config());
	}

	private static Route route(GatewayFilter... filters) {
		return Route.async()
			.id("route")
			.uri("lb://chat")
			.order(3)
			.metadata("team", "chat")
			.predicate((exchange) -> true)
			.filters(filters)
			.build();
	}

	private RouteLocator locator(Route route, SharedFilters shared) {
		return new BypassRouteLocator(() -> Flux.just(route), List.of((filter) -> false, shared), this.onPassed);
	}

	private Route locate(Route route, SharedFilters shared) {
		return locator(route, shared).getRoutes().single().block(Duration.ofSeconds(30));
	}

	private GatewayFilter onlyFilter(Route route, SharedFilters shared) {
		List<GatewayFilter> filters = locate(route, shared).getFilters();
		assertThat(filters).hasSize(1);
		return filters.get(0);
	}

	private static int order(GatewayFilter filter) {
		return ((Ordered) filter).getOrder();
	}

	private static ServerWebExchange user() {
		return MockServerWebExchange.from(MockServerHttpRequest.get("/"));
	}

	private static ServerWebExchange warmup() {
		ServerWebExchange exchange = user();
		exchange.getAttributes().put(WarmupContext.ATTRIBUTE, new WarmupContext("chat-1", "run-1"));
		return exchange;
	}

	private static boolean reachesTheEnd(GatewayFilter filter, ServerWebExchange exchange) {
		AtomicInteger reached = new AtomicInteger();
		Function<ServerWebExchange, Mono<Void>> end = (any) -> Mono.fromRunnable(reached::incrementAndGet);
		StepVerifier.create(filter.filter(exchange, end::apply)).expectComplete().verify(Duration.ofSeconds(30));
		return reached.get() == 1;
	}

	/** Lets nobody through. */
	@Order(12)
	private static final class Refusing implements GatewayFilter {

		@Override
		public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
			return Mono.empty();
		}

		@Override
		public String toString() {
			return "[Refusing]";
		}

	}

}
