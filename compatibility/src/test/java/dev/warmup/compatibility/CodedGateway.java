package dev.warmup.compatibility;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import reactor.core.publisher.Flux;

import org.springframework.cloud.gateway.route.Route;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.cloud.gateway.route.builder.RouteLocatorBuilder;
import org.springframework.context.annotation.Bean;

/** Also has a route made by code, once that is added. */
class CodedGateway extends SharingGateway {

	private final List<Route> routes = new CopyOnWriteArrayList<>();

	private final RouteLocatorBuilder builder;

	CodedGateway(RouteLocatorBuilder builder) {
		this.builder = builder;
	}

	@Bean
	RouteLocator codedRoutes() {
		return () -> Flux.fromIterable(this.routes);
	}

	void add() {
		this.builder.routes()
			.route("added",
					(route) -> route.path("/added/**")
						.filters((filter) -> filter.circuitBreaker((config) -> config.setName("by-code")))
						.uri("lb://added"))
			.build()
			.getRoutes()
			.doOnNext(this.routes::add)
			.blockLast();
	}

}
