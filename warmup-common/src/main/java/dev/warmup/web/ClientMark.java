package dev.warmup.web;

import java.util.Optional;

import dev.warmup.WarmupContext;
import dev.warmup.protocol.WarmupClaim;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.http.client.ClientHttpRequest;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * Marks the requests that clients send while the application handles a warm-up request:
 * header {@value WarmupClaim#HEADER} without a token. Requests sent for users, and those
 * that have the header, stay as they are. Adding the mark to a client twice has no
 * further effect.
 * <p>
 * As a post-processor it marks the clients that are beans, including those created
 * without Spring Boot's builders, as {@code @LoadBalanced} ones usually are.
 */
public final class ClientMark implements BeanPostProcessor {

	@Override
	public Object postProcessBeforeInitialization(Object bean, String beanName) {
		if (bean instanceof WebClient.Builder builder) {
			addTo(builder);
		}
		else if (bean instanceof RestClient.Builder builder) {
			addTo(builder);
		}
		else if (bean instanceof RestTemplate client) {
			addTo(client);
		}
		return bean;
	}

	/**
	 * Adds the mark, found in the Reactor context or else at the current thread.
	 * @param builder the client's builder
	 */
	public static void addTo(WebClient.Builder builder) {
		builder.filter(ClientMark::exchange);
	}

	/**
	 * Adds the mark, found at the current thread, after the application has set its
	 * headers. Not by an interceptor, which would have all request bodies buffered.
	 * @param builder the client's builder
	 */
	public static void addTo(RestClient.Builder builder) {
		builder.defaultRequest((request) -> request.httpRequest(ClientMark::initialize));
	}

	/**
	 * Adds the mark, found at the current thread; a header that the application sets
	 * replaces it. Not by an interceptor, which would have all request bodies buffered.
	 * @param client the client
	 */
	public static void addTo(RestTemplate client) {
		client.getClientHttpRequestInitializers().add(ClientMark::initialize);
	}

	private static Mono<ClientResponse> exchange(ClientRequest request, ExchangeFunction next) {
		if (request.headers().containsHeader(WarmupClaim.HEADER)) {
			return next.exchange(request);
		}
		return Mono.deferContextual((context) -> {
			Optional<WarmupContext> warmup = WarmupContext.find(context).or(WarmupContext::current);
			return next.exchange(
					warmup.map((mark) -> ClientRequest.from(request).header(WarmupClaim.HEADER, header(mark)).build())
						.orElse(request));
		});
	}

	private static void initialize(ClientHttpRequest request) {
		if (!request.getHeaders().containsHeader(WarmupClaim.HEADER)) {
			WarmupContext.current().ifPresent((mark) -> request.getHeaders().set(WarmupClaim.HEADER, header(mark)));
		}
	}

	private static String header(WarmupContext mark) {
		return WarmupClaim.mark(mark).format();
	}

}
