package dev.warmup.gateway;

import java.util.List;
import java.util.Map;

import reactor.core.publisher.Flux;

import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.filter.OrderedGatewayFilter;
import org.springframework.cloud.gateway.route.Route;
import org.springframework.cloud.gateway.route.RouteLocator;

/**
 * Hands out another locator's routes, with the filters that users share made such that
 * verified warm-up passes them by. Routes without such filters are handed on untouched.
 */
public final class BypassRouteLocator implements RouteLocator {

	private final RouteLocator locator;

	private final List<SharedFilters> shared;

	private final Runnable passed;

	/**
	 * Creates the locator.
	 * @param locator whose routes to hand out
	 * @param shared which filters to pass by: those that any of these covers
	 * @param passed is told of each filter that a warm-up request passed by; must not
	 * block
	 */
	public BypassRouteLocator(RouteLocator locator, List<SharedFilters> shared, Runnable passed) {
		this.locator = locator;
		this.shared = List.copyOf(shared);
		this.passed = passed;
	}

	@Override
	public Flux<Route> getRoutes() {
		return this.locator.getRoutes().map(this::withPassage);
	}

	@Override
	public Flux<Route> getRoutesByMetadata(Map<String, Object> metadata) {
		return this.locator.getRoutesByMetadata(metadata).map(this::withPassage);
	}

	private Route withPassage(Route route) {
		if (route.getFilters().stream().noneMatch(this::isShared)) {
			return route;
		}
		List<GatewayFilter> filters = route.getFilters()
			.stream()
			.map((filter) -> isShared(filter) ? new BypassFilter(filter, this.passed) : filter)
			.toList();
		return Route.async()
			.id(route.getId())
			.uri(route.getUri())
			.order(route.getOrder())
			.asyncPredicate(route.getPredicate())
			.replaceFilters(filters)
			.replaceMetadata(route.getMetadata())
			.build();
	}

	private boolean isShared(GatewayFilter filter) {
		GatewayFilter made = (filter instanceof OrderedGatewayFilter ordered) ? ordered.getDelegate() : filter;
		return this.shared.stream().anyMatch((filters) -> filters.covers(made));
	}

}
