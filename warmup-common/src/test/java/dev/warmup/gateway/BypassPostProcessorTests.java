package dev.warmup.gateway;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.warmup.Exchanges;
import dev.warmup.Instances;
import dev.warmup.WarmupContext;
import dev.warmup.loadbalancer.PinningPostProcessor;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentMatchers;
import org.mockito.Mockito;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.filter.OrderedGatewayFilter;
import org.springframework.cloud.gateway.filter.factory.RequestRateLimiterGatewayFilterFactory;
import org.springframework.cloud.gateway.filter.factory.RetryGatewayFilterFactory;
import org.springframework.cloud.gateway.filter.factory.RetryGatewayFilterFactory.RetryConfig;
import org.springframework.cloud.gateway.filter.factory.StripPrefixGatewayFilterFactory;
import org.springframework.cloud.gateway.filter.ratelimit.RateLimiter;
import org.springframework.cloud.gateway.route.CachingRouteLocator;
import org.springframework.cloud.gateway.route.Route;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ServerWebExchange;

import static org.assertj.core.api.Assertions.assertThat;

class BypassPostProcessorTests {

	private static final GatewayFilter STRIP = new StripPrefixGatewayFilterFactory()
		.apply((config) -> config.setParts(1));

	/** A limiter that has nothing left for anyone. */
	private final GatewayFilter limiting = limiting();

	@Test
	void warmupOfOtherServicesDoesNotBypass() {
		GatewayFilter filter = process(route(this.limiting)).getFilters().get(0);
		ServerWebExchange foreign = user();
		foreign.getAttributes().put(WarmupContext.ATTRIBUTE, new WarmupContext("chat-1", "r"));
		assertThat(passes(filter, warmup())).isTrue();
		assertThat(passes(filter, foreign)).isFalse();
		assertThat(passes(filter, user())).isFalse();
	}

	@Test
	void bypassedFilterKeepsItsOrderAndName() {
		GatewayFilter ordered = process(route(new OrderedGatewayFilter(this.limiting, 7))).getFilters().get(0);
		assertThat(((Ordered) ordered).getOrder()).isEqualTo(7);
		BypassPostProcessor.BypassFilter annotated = new BypassPostProcessor.BypassFilter(new Annotated());
		assertThat(annotated.getOrder()).isEqualTo(12);
		assertThat(annotated).hasToString("[Annotated]");
	}

	@Test
	void nothingElseOfARouteChanges() {
		Route route = route(STRIP, this.limiting);
		assertThat(process(route)).usingRecursiveComparison().ignoringFields("gatewayFilters").isEqualTo(route);
		assertThat(process(route).getFilters()).hasSize(2).startsWith(STRIP).doesNotContain(this.limiting);
		Route plain = route(STRIP);
		assertThat(process(plain)).isSameAs(plain);
		CachingRouteLocator cache = new CachingRouteLocator(Flux::empty);
		assertThat(new BypassPostProcessor().postProcessAfterInitialization(cache, "cachedCompositeRouteLocator"))
			.isSameAs(cache);
	}

	@Test
	void applicationsOwnLocatorKeepsItsClassAndIsAdaptedOnce() {
		OwnLocator own = new OwnLocator(route(this.limiting));
		Object once = new BypassPostProcessor().postProcessAfterInitialization(own, "own");
		assertThat(once).isInstanceOf(OwnLocator.class);
		Object twice = new BypassPostProcessor().postProcessAfterInitialization(once, "own");
		List<Route> routes = ((OwnLocator) twice).getRoutesByMetadata(Map.of("team", "chat"))
			.collectList()
			.block(Duration.ofSeconds(30));
		assertThat(routes).singleElement()
			.satisfies((route) -> assertThat(((BypassPostProcessor.BypassFilter) route.getFilters().get(0)).filter())
				.isSameAs(this.limiting));
	}

	@Test
	void locatorsThatCanHaveNoSubclassAreAdapted() {
		for (RouteLocator own : List.of(new PrivateLocator(route(this.limiting)),
				new FixedLocator(route(this.limiting)))) {
			RouteLocator adapted = (RouteLocator) new BypassPostProcessor().postProcessAfterInitialization(own, "own");
			Route route = adapted.getRoutes().single().block(Duration.ofSeconds(30));
			assertThat(route.getFilters()).singleElement().isInstanceOf(BypassPostProcessor.BypassFilter.class);
		}
	}

	@Test
	void filtersAreRecognizedByTheirFactory() {
		GatewayFilter retrying = new RetryGatewayFilterFactory().apply(new RetryConfig());
		assertThat(process(route(retrying, this.limiting, STRIP, new Annotated())).getFilters())
			.extracting(BypassPostProcessor.BypassFilter.class::isInstance)
			.containsExactly(true, true, false, false);
	}

	private static GatewayFilter limiting() {
		RateLimiter<?> limiter = Mockito.mock(RateLimiter.class);
		Mockito.when(limiter.isAllowed(ArgumentMatchers.any(), ArgumentMatchers.any()))
			.thenReturn(Mono.just(new RateLimiter.Response(false, Map.of())));
		return new RequestRateLimiterGatewayFilterFactory(limiter, (exchange) -> Mono.just("key")).apply("route",
				(config) -> config.setStatusCode(HttpStatus.TOO_MANY_REQUESTS));
	}

	private static Route process(Route route) {
		RouteLocator locator = () -> Flux.just(route);
		RouteLocator processed = (RouteLocator) new BypassPostProcessor().postProcessAfterInitialization(locator,
				"routes");
		return processed.getRoutes().single().block(Duration.ofSeconds(30));
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

	private static ServerWebExchange user() {
		return Exchanges.get("/");
	}

	private static ServerWebExchange warmup() {
		ServerWebExchange exchange = user();
		exchange.getAttributes().put(PinningPostProcessor.ATTRIBUTE, Instances.of("chat-1"));
		return exchange;
	}

	private static boolean passes(GatewayFilter filter, ServerWebExchange exchange) {
		AtomicBoolean passed = new AtomicBoolean();
		filter.filter(exchange, (any) -> Mono.fromRunnable(() -> passed.set(true))).block(Duration.ofSeconds(30));
		return passed.get();
	}

	/** Such as one that reads routes from a database, and listens for changes. */
	static class OwnLocator implements RouteLocator, ApplicationListener<ApplicationEvent> {

		private final Route route;

		OwnLocator(Route route) {
			this.route = route;
		}

		@Override
		public Flux<Route> getRoutes() {
			return Flux.just(this.route);
		}

		@Override
		public void onApplicationEvent(ApplicationEvent event) {
			// of no interest
		}

	}

	private static class PrivateLocator extends OwnLocator {

		private PrivateLocator(Route route) {
			super(route);
		}

	}

	static class FixedLocator extends OwnLocator {

		FixedLocator(Route route) {
			super(route);
		}

		@Override
		public final Flux<Route> getRoutes() {
			return super.getRoutes();
		}

	}

	@Order(12)
	private static final class Annotated implements GatewayFilter {

		@Override
		public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
			return chain.filter(exchange);
		}

		@Override
		public String toString() {
			return "[Annotated]";
		}

	}

}
