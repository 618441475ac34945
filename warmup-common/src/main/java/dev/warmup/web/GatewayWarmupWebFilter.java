package dev.warmup.web;

import java.nio.charset.StandardCharsets;

import dev.warmup.protocol.InternalPaths;
import dev.warmup.protocol.WarmupClaim;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.util.StringUtils;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * Answers {@code POST /.warmup/gateways/{id}}, a gateway's request to be warmed, in a
 * reactive service.
 */
final class GatewayWarmupWebFilter implements WebFilter, Ordered {

	/**
	 * Ahead of Spring Security, which knows no gateway, and of the
	 * {@link WarmupWebFilter}.
	 */
	public static final int ORDER = ReadyWebFilter.ORDER;

	private final GatewayWarmups warmups;

	/**
	 * Creates the filter.
	 * @param warmups handles the request
	 */
	GatewayWarmupWebFilter(GatewayWarmups warmups) {
		this.warmups = warmups;
	}

	@Override
	public int getOrder() {
		return ORDER;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		ServerHttpRequest request = exchange.getRequest();
		String path = request.getPath().pathWithinApplication().value();
		if (!HttpMethod.POST.equals(request.getMethod()) || !path.startsWith(InternalPaths.ASK_PATH)) {
			return chain.filter(exchange);
		}
		String gateway = StringUtils.uriDecode(path.substring(InternalPaths.ASK_PATH.length()), StandardCharsets.UTF_8);
		String trigger = request.getQueryParams().toSingleValueMap().getOrDefault("trigger", "");
		return this.warmups.request(gateway, request.getHeaders().getOrEmpty(WarmupClaim.HEADER), trigger)
			.flatMap((result) -> write(exchange.getResponse(), result));
	}

	private static Mono<Void> write(ServerHttpResponse response, GatewayWarmups.Result result) {
		response.setStatusCode(HttpStatusCode.valueOf(result.status()));
		if (result.run().isEmpty()) {
			return response.setComplete();
		}
		response.getHeaders().setContentType(MediaType.APPLICATION_JSON);
		return response.writeWith(Mono.fromSupplier(() -> response.bufferFactory().wrap(result.body())));
	}

}
