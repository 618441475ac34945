package dev.warmup.gateway;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

import reactor.core.publisher.Mono;

import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.gateway.filter.RouteToRequestUrlFilter;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.core.Ordered;
import org.springframework.http.HttpStatus;
import org.springframework.util.StringUtils;
import org.springframework.web.server.ServerWebExchange;

/**
 * Answers 404 to requests that a route would lead to the library's own endpoints in a
 * service: {@code /.warmup} and {@code /actuator/warmup}. The path decides as it is
 * routed, after all filters that rewrite it, and in any spelling that a server could take
 * for it: encoded, also twice, with parameters, empty or dot segments, or in another
 * case.
 */
final class ClosedPathsFilter implements GlobalFilter, Ordered {

	/** Behind the filter that knows where the route leads. */
	static final int ORDER = RouteToRequestUrlFilter.ROUTE_TO_URL_FILTER_ORDER + 1;

	private static final List<String> ENDPOINT = List.of("actuator", "warmup");

	/** More layers of encoding than any server decodes. */
	private static final int MAX_DECODING = 3;

	@Override
	public int getOrder() {
		return ORDER;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
		URI url = exchange.getAttribute(ServerWebExchangeUtils.GATEWAY_REQUEST_URL_ATTR);
		if (url == null || url.getRawPath() == null || !isClosed(url.getRawPath())) {
			return chain.filter(exchange);
		}
		exchange.getResponse().setStatusCode(HttpStatus.NOT_FOUND);
		return exchange.getResponse().setComplete();
	}

	/** Without looking closer at the paths of nearly all requests. */
	static boolean isClosed(String path) {
		String lower = path.toLowerCase(Locale.ROOT);
		return (lower.contains("warmup") || lower.indexOf('%') >= 0) && names(segments(lower));
	}

	private static boolean names(List<String> segments) {
		return segments.contains(".warmup") || Collections.indexOfSubList(segments, ENDPOINT) >= 0;
	}

	private static List<String> segments(String path) {
		String decoded = path;
		for (int i = 0; i < MAX_DECODING; i++) {
			decoded = decode(decoded);
		}
		List<String> segments = new ArrayList<>();
		for (String segment : StringUtils.tokenizeToStringArray(decoded.toLowerCase(Locale.ROOT), "/\\")) {
			String name = segment.replaceFirst(";.*", "").strip();
			if (name.equals("..") && !segments.isEmpty()) {
				segments.remove(segments.size() - 1);
			}
			else if (!name.isEmpty() && !name.equals(".") && !name.equals("..")) {
				segments.add(name);
			}
		}
		return segments;
	}

	/** What cannot be decoded stays as it is: no server takes it for another path. */
	private static String decode(String path) {
		try {
			return StringUtils.uriDecode(path, StandardCharsets.UTF_8);
		}
		catch (IllegalArgumentException ex) {
			return path;
		}
	}

}
