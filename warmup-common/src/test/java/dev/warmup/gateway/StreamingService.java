package dev.warmup.gateway;

import java.time.Duration;

import io.netty.handler.codec.http.HttpHeaderNames;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerResponse;

/**
 * A service that answers at once, but fails at {@code /error}; at {@code /endless} with a
 * first part and the rest when it is let, at {@code /events} with events from then on,
 * and at {@code /ws} with a WebSocket that stays open until then.
 */
final class StreamingService implements AutoCloseable {

	private final Sinks.Empty<Void> let = Sinks.empty();

	private final DisposableServer server = HttpServer.create()
		.host("localhost")
		.maxKeepAliveRequests(1)
		.route((routes) -> routes.get("/endless", (request, response) -> parts(response, Mono.just("begun")))
			.get("/events",
					(request, response) -> parts(
							response.header(HttpHeaderNames.CONTENT_TYPE, "text/event-stream;charset=UTF-8"),
							Mono.empty()))
			.get("/error", (request, response) -> response.status(500).send())
			.ws("/ws",
					(in, out) -> out.sendString(Flux.concat(Mono.just("hello"), this.let.asMono().cast(String.class))))
			.route((request) -> true, (request, response) -> response.sendString(Mono.just("fine"))))
		.bindNow(Duration.ofSeconds(60));

	private Mono<Void> parts(HttpServerResponse response, Mono<String> first) {
		return response.sendString(first.concatWith(this.let.asMono().cast(String.class)).concatWithValues("over"))
			.then();
	}

	String address() {
		return "http://localhost:" + this.server.port();
	}

	/** Ends all that was begun. */
	void letGo() {
		this.let.tryEmitEmpty().orThrow();
	}

	@Override
	public void close() {
		this.server.disposeNow(Duration.ofSeconds(30));
	}

}
