package dev.warmup.web;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.BooleanSupplier;

import dev.warmup.protocol.InternalPaths;
import dev.warmup.protocol.WarmupClaim;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.util.StringUtils;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * Answers the requests to the library in a reactive application:
 * {@code GET /.warmup/ready}, 200 when the application is ready for users and 503 before,
 * and in a service {@code POST /.warmup/gateways/{id}}, by which a gateway requests to be
 * warmed.
 */
final class ProtocolWebFilter implements WebFilter, Ordered {

	/**
	 * Ahead of Spring Security (-100), which knows no gateway and no startup probe, and
	 * of the filter that marks warm-up requests.
	 */
	static final int ORDER = WarmupWebFilter.ORDER - 1;

	private final BooleanSupplier ready;

	private final Optional<GatewayWarmups> warmups;

	/** There are no gateways' requests to handle on a gateway and without discovery. */
	ProtocolWebFilter(BooleanSupplier ready, Optional<GatewayWarmups> warmups) {
		this.ready = ready;
		this.warmups = warmups;
	}

	@Override
	public int getOrder() {
		return ORDER;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		HttpMethod method = exchange.getRequest().getMethod();
		String path = exchange.getRequest().getPath().pathWithinApplication().value();
		if (HttpMethod.GET.equals(method) && path.equals(InternalPaths.READY_PATH)) {
			exchange.getResponse()
				.setStatusCode(this.ready.getAsBoolean() ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE);
			return exchange.getResponse().setComplete();
		}
		if (HttpMethod.POST.equals(method) && path.startsWith(InternalPaths.ASK_PATH) && this.warmups.isPresent()) {
			String gateway = StringUtils.uriDecode(path.substring(InternalPaths.ASK_PATH.length()),
					StandardCharsets.UTF_8);
			return warm(this.warmups.get(), gateway, exchange);
		}
		return chain.filter(exchange);
	}

	private static Mono<Void> warm(GatewayWarmups warmups, String gateway, ServerWebExchange exchange) {
		ServerHttpRequest request = exchange.getRequest();
		ServerHttpResponse response = exchange.getResponse();
		String trigger = Optional.ofNullable(request.getQueryParams().getFirst("trigger")).orElse("");
		return warmups.request(gateway, request.getHeaders().getOrEmpty(WarmupClaim.HEADER), trigger)
			.flatMap((result) -> {
				response.setStatusCode(HttpStatusCode.valueOf(result.status()));
				if (result.run().isEmpty()) {
					return response.setComplete();
				}
				response.getHeaders().setContentType(MediaType.APPLICATION_JSON);
				return response.writeWith(Mono.fromSupplier(() -> response.bufferFactory().wrap(result.body())));
			});
	}

}
