package dev.warmup.gateway;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

import dev.warmup.protocol.Announcement;
import dev.warmup.protocol.WarmupHeader;
import dev.warmup.registry.AnnouncedInstances;
import dev.warmup.service.Exchanges;
import dev.warmup.service.InternalPaths;
import io.netty.util.NetUtil;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerRequest;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import org.springframework.web.util.UriUtils;

/**
 * Takes news of instances, answers 404 to every other path of the library, and removes
 * the library's headers from all other requests: another spelling of such a path is
 * routed, and reads nothing without the header. Both is in force where the warm-up is
 * off, too.
 */
@Order(GatewayWebFilter.ORDER)
final class GatewayWebFilter implements WebFilter {

	/**
	 * Behind the filter that answers for the application's own state, and like it ahead
	 * of Spring Security: who sends news does not matter.
	 */
	static final int ORDER = Ordered.HIGHEST_PRECEDENCE + 200;

	private static final String CLAIM = GatewayWebFilter.class.getName() + ".claim";

	private final @Nullable Looks looks;

	private final @Nullable AnnouncedInstances announced;

	/**
	 * Creates a filter.
	 * @param looks what takes news; null where the warm-up is off
	 * @param announced what news has to be of; null where there is a registry
	 */
	GatewayWebFilter(@Nullable Looks looks, @Nullable AnnouncedInstances announced) {
		this.looks = looks;
		this.announced = announced;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		String path = exchange.getRequest().getPath().pathWithinApplication().value();
		boolean isOfTheLibrary = path.contains(InternalPaths.WARMUP_PATH + "/")
				|| path.endsWith(InternalPaths.WARMUP_PATH);
		return isOfTheLibrary ? news(exchange, path) : chain.filter(withoutHeaders(exchange));
	}

	private Mono<Void> news(ServerWebExchange exchange, String path) {
		ServerHttpRequest request = exchange.getRequest();
		ServerHttpResponse response = exchange.getResponse();
		Optional<String> id = instanceId(path);
		boolean renewal = this.announced != null && request.getMethod().equals(HttpMethod.PUT);
		if (this.looks == null || id.isEmpty() || !(renewal || request.getMethod().equals(HttpMethod.POST))
				|| request.getURI().getRawQuery() != null) {
			response.setStatusCode(HttpStatus.NOT_FOUND);
			return response.setComplete();
		}
		response.getHeaders().set(WarmupHeader.GATEWAY, this.looks.gateway().instanceId());
		response.setStatusCode(HttpStatus.NOT_FOUND);
		response.getHeaders().set(HttpHeaders.RETRY_AFTER, "1");
		Looks own = this.looks;
		return Mono.justOrEmpty(this.announced)
			.flatMap((instances) -> refusal(instances, id.get(), request))
			.switchIfEmpty(Mono.fromSupplier(() -> ""))
			.flatMap((why) -> !why.isEmpty() ? answer(response, HttpStatus.FORBIDDEN, why)
					: renewal ? answer(response, HttpStatus.NO_CONTENT, "")
							: own.news(id.get()).flatMap((look) -> answer(request, response, look)))
			.then(Mono.defer(response::setComplete));
	}

	/** A body that is too long is signed by nobody. */
	private static Mono<String> refusal(AnnouncedInstances instances, String instanceId, ServerHttpRequest request) {
		return DataBufferUtils.join(request.getBody(), Announcement.MAX_BYTES)
			.map(Exchanges::bytes)
			.onErrorReturn(DataBufferLimitException.class, new byte[0])
			.map((body) -> instances.announce(instanceId, body, request.getHeaders().getFirst(Announcement.SIGNATURE),
					address(request, HttpServerRequest::connectionHostAddress)))
			.defaultIfEmpty("it announces nothing");
	}

	/** Waiting helps, unless it is the sender itself that refuses. */
	private static Mono<Void> answer(ServerHttpRequest request, ServerHttpResponse response, Looks.Look look) {
		if (look.state() != null) {
			return answer(response, HttpStatus.NO_CONTENT, "");
		}
		InetSocketAddress sender = address(request, HttpServerRequest::connectionRemoteAddress);
		boolean lasting = sender != null && NetUtil.toAddressString(sender.getAddress()).equals(look.refusing());
		return answer(response, HttpStatus.BAD_GATEWAY, look.problem())
			.doFirst(() -> response.getHeaders().addAll(HttpHeaders.RETRY_AFTER, lasting ? List.of() : List.of("1")));
	}

	/** What forwarded headers, which anyone may send, do not change. */
	private static @Nullable InetSocketAddress address(ServerHttpRequest request,
			Function<HttpServerRequest, @Nullable SocketAddress> end) {
		return (ServerHttpRequestDecorator.getNativeRequest(request) instanceof HttpServerRequest connection
				&& end.apply(connection) instanceof InetSocketAddress address) ? address : null;
	}

	private static Mono<Void> answer(ServerHttpResponse response, HttpStatus status, String problem) {
		response.setStatusCode(status);
		response.getHeaders().remove(HttpHeaders.RETRY_AFTER);
		if (problem.isEmpty()) {
			return Mono.empty();
		}
		response.getHeaders().setContentType(MediaType.TEXT_PLAIN);
		return response.writeWith(
				Mono.fromSupplier(() -> response.bufferFactory().wrap(problem.getBytes(StandardCharsets.UTF_8))));
	}

	/** The instance that news is of, if this is the one way to write its path. */
	private static Optional<String> instanceId(String path) {
		return Optional.of(path)
			.filter((news) -> news.lastIndexOf('/') == InternalPaths.NEWS_PATH.length() - 1
					&& news.startsWith(InternalPaths.NEWS_PATH))
			.map((news) -> UriUtils.decode(news.substring(InternalPaths.NEWS_PATH.length()), StandardCharsets.UTF_8))
			.filter((id) -> WarmupHeader.INSTANCE_ID.matcher(id).matches());
	}

	/** Keeps the claim where {@link #claim} finds it. */
	private ServerWebExchange withoutHeaders(ServerWebExchange exchange) {
		List<String> claims = exchange.getRequest().getHeaders().getOrEmpty(WarmupHeader.NAME);
		Looks own = this.looks;
		if (!claims.isEmpty() && own != null) {
			Optional<WarmupHeader> claim = WarmupHeader.parse(claims);
			exchange.getAttributes().put(CLAIM, claim.isPresent() ? claim.get() : false);
			HttpHeaders answer = exchange.getResponse().getHeaders();
			// also where no route takes it, and this gateway answers
			claim.ifPresent((header) -> exchange.getResponse()
				.beforeCommit(
						() -> Mono.fromRunnable(() -> answer.set(WarmupHeader.GATEWAY, own.gateway().instanceId()))));
		}
		return Exchanges.without(Routing.HEADERS, exchange);
	}

	/**
	 * The {@link WarmupHeader} that a request came with, or something else where it had
	 * another shape; null if it had no such header.
	 */
	static @Nullable Object claim(ServerWebExchange exchange) {
		return exchange.getAttribute(CLAIM);
	}

}
