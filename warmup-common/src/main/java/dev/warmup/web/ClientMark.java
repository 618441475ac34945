package dev.warmup.web;

import java.net.URI;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.warmup.WarmupContext;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.WarmupClaim;
import dev.warmup.protocol.WarmupKey;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.ObjectProvider;
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
 * header {@value WarmupClaim#HEADER} with a mark that is signed for the service that is
 * called. Requests sent for users, those that have the header, and those to other hosts
 * than services stay as they are. Adding the mark to a client twice has no further
 * effect.
 * <p>
 * As a post-processor it marks the builders and {@code RestTemplate}s that are beans,
 * including those that Spring Boot did not create, as {@code @LoadBalanced} ones usually
 * are. A {@code WebClient} or {@code RestClient} is marked by the builder that made it.
 */
final class ClientMark implements BeanPostProcessor {

	/** A name without a dot, as in discovery, or a service's name in Kubernetes. */
	private static final Pattern SERVICE = Pattern
		.compile("([\\w-]*[A-Za-z][\\w-]*)(?:\\.[\\w-]+\\.svc(?:\\.cluster\\.local)?)?");

	private final ObjectProvider<WarmupKey> key;

	private final ObjectProvider<Instance.Source> self;

	/** Creates the mark; key and instance are resolved when the first is sent. */
	ClientMark(ObjectProvider<WarmupKey> key, ObjectProvider<Instance.Source> self) {
		this.key = key;
		this.self = self;
	}

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

	/** Adds the mark, found in the Reactor context or else at the current thread. */
	void addTo(WebClient.Builder builder) {
		builder.filter(this::exchange);
	}

	/**
	 * Adds the mark, found at the current thread, after the application has set its
	 * headers. Not by an interceptor, which would have all request bodies buffered.
	 */
	void addTo(RestClient.Builder builder) {
		builder.defaultRequest((request) -> request.httpRequest(this::initialize));
	}

	/**
	 * Adds the mark, found at the current thread; a header that the application sets
	 * replaces it. Not by an interceptor either.
	 */
	void addTo(RestTemplate client) {
		client.getClientHttpRequestInitializers().add(this::initialize);
	}

	private Mono<ClientResponse> exchange(ClientRequest request, ExchangeFunction next) {
		if (request.headers().containsHeader(WarmupClaim.HEADER)) {
			return next.exchange(request);
		}
		return Mono.deferContextual((context) -> WarmupContext.find(context)
			.or(WarmupContext::current)
			.flatMap((warmup) -> header(warmup, request.url()))
			.map((mark) -> next.exchange(ClientRequest.from(request).header(WarmupClaim.HEADER, mark).build()))
			.orElseGet(() -> next.exchange(request)));
	}

	private void initialize(ClientHttpRequest request) {
		if (!request.getHeaders().containsHeader(WarmupClaim.HEADER)) {
			WarmupContext.current()
				.flatMap((warmup) -> header(warmup, request.getURI()))
				.ifPresent((mark) -> request.getHeaders().set(WarmupClaim.HEADER, mark));
		}
	}

	/** Empty for a host that is no service's: third parties get nothing. */
	private Optional<String> header(WarmupContext warmup, URI uri) {
		return Optional.ofNullable(uri.getHost())
			.map(SERVICE::matcher)
			.filter(Matcher::matches)
			.map((host) -> this.key.getObject()
				.mark(this.self.getObject().get().instanceId(), host.group(1), warmup)
				.format());
	}

}
