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
 * Answers {@code POST /.warmup/gateways/{id}} in a reactive service.
 */
public final class GatewayWarmupWebFilter implements WebFilter, Ordered {

	/**
	 * With the startup probe: ahead of Spring Security, which knows no gateway, and of
	 * the filter that would take the gateway's claim for a warm-up request gone astray.
	 */
	public static final int ORDER = ReadyWebFilter.ORDER;

	private final GatewayWarmups runs;

	/**
	 * Creates the filter.
	 * @param runs answers the gateways
	 */
	public GatewayWarmupWebFilter(GatewayWarmups runs) {
		this.runs = runs;
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
		return this.runs.answer(gateway, request.getHeaders().getOrEmpty(WarmupClaim.HEADER), trigger)
			.flatMap((reply) -> write(exchange.getResponse(), reply));
	}

	private static Mono<Void> write(ServerHttpResponse response, GatewayWarmupReply reply) {
		response.setStatusCode(HttpStatusCode.valueOf(reply.status()));
		if (reply.run().isEmpty()) {
			return response.setComplete();
		}
		response.getHeaders().setContentType(MediaType.APPLICATION_JSON);
		return response.writeWith(Mono.fromSupplier(() -> response.bufferFactory().wrap(reply.body())));
	}

}
