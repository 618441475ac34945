package dev.warmup.jmh;

import java.net.URI;

import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.http.server.reactive.MockServerHttpResponse;

/**
 * A reactive application without a network, from where the server hands a request over.
 *
 * @param handler what the server would call
 */
record ReactiveApplication(HttpHandler handler) {

	/**
	 * Sends a user's request and waits for the end of its answer.
	 * @param path what to get
	 * @return the status
	 */
	int get(URI path) {
		return send(MockServerHttpRequest.method(HttpMethod.GET, path).build());
	}

	/**
	 * Sends a request and waits for the end of its answer.
	 * @param request the request
	 * @return the status
	 * @throws IllegalStateException where the application set none
	 */
	int send(MockServerHttpRequest request) {
		MockServerHttpResponse response = new MockServerHttpResponse();
		this.handler.handle(request, response).block();
		HttpStatusCode status = response.getStatusCode();
		if (status == null) {
			throw new IllegalStateException("No answer to " + request.getURI());
		}
		return status.value();
	}

}
