package dev.warmup.jmh;

import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import reactor.core.publisher.Mono;

import org.springframework.cloud.client.DefaultServiceInstance;
import org.springframework.cloud.client.loadbalancer.DefaultResponse;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.gateway.route.Route;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.http.server.reactive.MockServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebHandler;
import org.springframework.web.server.adapter.DefaultServerWebExchange;
import org.springframework.web.server.handler.FilteringWebHandler;
import org.springframework.web.server.i18n.AcceptHeaderLocaleContextResolver;
import org.springframework.web.server.i18n.LocaleContextResolver;
import org.springframework.web.server.session.DefaultWebSessionManager;
import org.springframework.web.server.session.WebSessionManager;

/**
 * The library's filters of a reactive application, in their order, and no others. What a
 * gateway has between them, routing and the choice of an instance, is made up.
 */
final class FilterChains {

	private static final URI BALANCED = URI.create("lb://" + Contexts.SERVICE);

	private static final Route ROUTE = Route.async()
		.id(Contexts.SERVICE)
		.uri(BALANCED)
		.predicate((exchange) -> true)
		.build();

	private static final DefaultResponse CHOSEN = new DefaultResponse(
			new DefaultServiceInstance(Contexts.INSTANCE, Contexts.SERVICE, "127.0.0.1", 8080, false));

	// Once, as a server has them: to make them anew would take longer than all filters.

	private static final WebSessionManager SESSIONS = new DefaultWebSessionManager();

	private static final ServerCodecConfigurer CODECS = ServerCodecConfigurer.create();

	private static final LocaleContextResolver LOCALES = new AcceptHeaderLocaleContextResolver();

	private FilterChains() {
	}

	/**
	 * Puts the filters together.
	 * @param context an application, with the library or without
	 * @return what takes a request to its answer
	 */
	static WebHandler of(ApplicationContext context) {
		List<GlobalFilter> filters = new ArrayList<>(ofTheLibrary(context, GlobalFilter.class));
		Collections.reverse(filters);
		GatewayFilterChain chain = FilterChains::answer;
		for (GlobalFilter filter : filters) {
			GatewayFilterChain next = chain;
			chain = (exchange) -> filter.filter(exchange, next);
		}
		return new FilteringWebHandler(chain::filter, ofTheLibrary(context, WebFilter.class));
	}

	/**
	 * The filters that the library adds.
	 * @param <T> the type of the filters
	 * @param context an application
	 * @param type their type
	 * @return the filters in their order
	 */
	static <T> List<T> ofTheLibrary(ApplicationContext context, Class<T> type) {
		return context.getBeanProvider(type).orderedStream().filter(Contexts::isOfTheLibrary).toList();
	}

	/**
	 * Sends a user's request that a gateway has routed, and waits for its end.
	 * @param chain the filters
	 * @param path what the user gets
	 * @return the exchange with its answer
	 */
	static ServerWebExchange get(WebHandler chain, URI path) {
		ServerWebExchange exchange = new DefaultServerWebExchange(
				MockServerHttpRequest.method(HttpMethod.GET, path).build(), new MockServerHttpResponse(), SESSIONS,
				CODECS, LOCALES);
		exchange.getAttributes().put(ServerWebExchangeUtils.GATEWAY_ROUTE_ATTR, ROUTE);
		exchange.getAttributes().put(ServerWebExchangeUtils.GATEWAY_REQUEST_URL_ATTR, BALANCED);
		chain.handle(exchange).block();
		return exchange;
	}

	private static Mono<Void> answer(ServerWebExchange exchange) {
		exchange.getAttributes().put(ServerWebExchangeUtils.GATEWAY_LOADBALANCER_RESPONSE_ATTR, CHOSEN);
		exchange.getResponse().setStatusCode(HttpStatus.OK);
		return exchange.getResponse().setComplete();
	}

}
