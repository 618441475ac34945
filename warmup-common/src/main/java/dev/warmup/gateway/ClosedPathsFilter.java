package dev.warmup.gateway;

import java.net.URI;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import reactor.core.publisher.Mono;

import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.gateway.filter.ReactiveLoadBalancerClientFilter;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.core.Ordered;
import org.springframework.http.HttpStatus;
import org.springframework.util.StringUtils;
import org.springframework.web.server.ServerWebExchange;

/**
 * Answers 404 to requests that a route would lead to the library's own endpoints in a
 * service: {@code /.warmup} and {@code /actuator/warmup}. The path is checked as it is
 * routed, after all filters that rewrite it, and in any spelling that a server, or a
 * proxy in front of it, could read as such an endpoint: encoded, also twice, with
 * parameters, empty or dot segments, or in another case.
 */
final class ClosedPathsFilter implements GlobalFilter, Ordered {

	/** Behind the filters that change where the route leads. */
	static final int ORDER = ReactiveLoadBalancerClientFilter.LOAD_BALANCER_CLIENT_FILTER_ORDER - 2;

	private static final List<String> ENDPOINT = List.of("actuator", "warmup");

	/** More layers of encoding than any server decodes. */
	private static final int MAX_DECODING = 3;

	/** An encoded character of ASCII; the names that are looked for have no others. */
	private static final Pattern ENCODED = Pattern.compile("%([0-7][0-9a-f])");

	private static final Pattern ENCODED_DELIMITER = Pattern.compile("%(?:[01][0-9a-f]|23|25|2e|2f|3b|3f|5c)");

	private static final Pattern PARAMETERS = Pattern.compile(";[^/]*");

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

	/**
	 * An ambiguous path is closed if it has the names anywhere. The first lines decide
	 * nearly all requests.
	 */
	static boolean isClosed(String path) {
		String lower = path.toLowerCase(Locale.ROOT);
		if (!lower.contains("warmup") && lower.indexOf('%') < 0) {
			return false;
		}
		String decoded = decode(lower);
		if (!decoded.contains(".warmup") && !(decoded.contains("actuator") && decoded.contains("warmup"))) {
			return false;
		}
		if (isAmbiguous(lower)) {
			return true;
		}
		List<String> segments = segments(decode(PARAMETERS.matcher(lower).replaceAll("")));
		return segments.contains(".warmup") || Collections.indexOfSubList(segments, ENDPOINT) >= 0;
	}

	/**
	 * Whether servers may read a path differently, by the order in which they decode it,
	 * remove parameters and empty segments, and resolve dot segments.
	 */
	private static boolean isAmbiguous(String path) {
		return path.contains("..") || ENCODED_DELIMITER.matcher(path).find();
	}

	/** Decodes characters of ASCII, and leaves whatever else there is. */
	private static String decode(String path) {
		String decoded = path;
		for (int i = 0; i < MAX_DECODING && decoded.indexOf('%') >= 0; i++) {
			decoded = ENCODED.matcher(decoded)
				.replaceAll((code) -> Matcher.quoteReplacement(Character.toString(Integer.parseInt(code.group(1), 16))))
				.toLowerCase(Locale.ROOT);
		}
		return decoded;
	}

	private static List<String> segments(String path) {
		return Arrays.stream(StringUtils.tokenizeToStringArray(path, "/"))
			.filter((segment) -> !segment.equals("."))
			.toList();
	}

}
