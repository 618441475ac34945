package dev.warmup.service;

import java.util.List;
import java.util.Optional;

import dev.warmup.WarmupContext;
import dev.warmup.protocol.WarmupHeader;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * In a reactive application: answers at the library's own paths, marks this instance's
 * own warm-up for the application, and proves in the response who answered. In a service
 * it also removes the header {@value WarmupHeader#NAME} from every request, rejects
 * another instance's with 421, and records any other request as user activity.
 */
@Order(WarmupRequests.ORDER)
final class WarmupWebFilter implements WebFilter {

	/**
	 * A placeholder in the context of users' requests. Reactor has a class for each
	 * number of entries, and code that the JVM compiled for the class seen in warm-up
	 * would be discarded when users brought another.
	 */
	private static final Context NO_MARK = Context.of(WarmupWebFilter.class, false);

	private final WarmupRequests requests;

	private final UserActivity users;

	WarmupWebFilter(WarmupRequests requests, UserActivity users) {
		this.requests = requests;
		this.users = users;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		ServerHttpRequest request = exchange.getRequest();
		String path = request.getPath().pathWithinApplication().value();
		if (this.requests.isForLibrary(request.getMethod().name(), path)) {
			return this.requests
				.answer(path, request.getHeaders()::getFirst, (name) -> request.getQueryParams().getFirst(name))
				.flatMap((answer) -> write(answer, exchange.getResponse()));
		}
		return handle(path, exchange, chain);
	}

	private static Mono<Void> write(ResponseEntity<byte[]> answer, ServerHttpResponse response) {
		response.setStatusCode(answer.getStatusCode());
		response.getHeaders().putAll(answer.getHeaders());
		return response.writeWith(Mono.justOrEmpty(answer.getBody()).map(response.bufferFactory()::wrap));
	}

	private Mono<Void> handle(String path, ServerWebExchange exchange, WebFilterChain chain) {
		Optional<WarmupHeader> header = this.requests
			.header(exchange.getRequest().getHeaders().getOrEmpty(WarmupHeader.NAME));
		Optional<WarmupContext> warmup = header.flatMap(this.requests::mark);
		if (this.requests.isGateway() && warmup.isEmpty()) {
			return chain.filter(exchange).contextWrite(NO_MARK);
		}
		if (header.filter(this.requests::isMisdirected).isPresent()) {
			exchange.getResponse().setStatusCode(HttpStatus.MISDIRECTED_REQUEST);
			return exchange.getResponse().setComplete();
		}
		warmup.ifPresent((mark) -> {
			exchange.getAttributes().put(WarmupContext.ATTRIBUTE, mark);
			exchange.getResponse().getHeaders().set(WarmupHeader.INSTANCE, mark.instanceId());
		});
		if (warmup.isEmpty() && !this.requests.isInternal(path)) {
			this.users.touch();
		}
		return chain.filter(Exchanges.without(List.of(WarmupHeader.NAME), exchange))
			.contextWrite(warmup.map((mark) -> Context.of(WarmupContext.class, mark)).orElse(NO_MARK));
	}

}
