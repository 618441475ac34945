package dev.warmup.web;

import dev.warmup.WarmupContext;
import dev.warmup.protocol.WarmupClaim;

import org.springframework.http.client.ClientHttpRequest;
import org.springframework.http.client.ClientHttpRequestInitializer;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

/**
 * Marks what a {@code RestClient} or {@code RestTemplate} sends at the thread of a
 * servlet request that is warm-up: header {@value WarmupClaim#HEADER} without a token.
 * Leaves alone what users ask for, and a request that has the header. Not an interceptor,
 * since with one of these the body of each request, also of users', is held in memory.
 */
public final class RestClientMark implements ClientHttpRequestInitializer {

	/**
	 * Marks a request.
	 * @param request the request, not yet sent
	 */
	@Override
	public void initialize(ClientHttpRequest request) {
		if (!request.getHeaders().containsHeader(WarmupClaim.HEADER)) {
			WarmupContext.current()
				.ifPresent((mark) -> request.getHeaders().set(WarmupClaim.HEADER, WarmupClaim.mark(mark).format()));
		}
	}

	/**
	 * Lets a client mark its requests, each after the application has set its headers. To
	 * do so twice has no further effect.
	 * @param builder the client to be
	 */
	public void addTo(RestClient.Builder builder) {
		builder.defaultRequest((request) -> request.httpRequest(this::initialize));
	}

	/**
	 * Lets a client mark its requests; the application's own header replaces the mark. To
	 * do so twice has no further effect.
	 * @param client the client
	 */
	public void addTo(RestTemplate client) {
		client.getClientHttpRequestInitializers().add(this);
	}

}
