package dev.warmup.gateway;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.netty.handler.codec.http.HttpHeaderNames;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import reactor.netty.resources.LoopResources;

/**
 * A service that answers at once, but fails at {@code /error}. It holds until it is
 * released all of {@code /held}, the second part of {@code /endless}, the events of
 * {@code /events}, and the end of the WebSocket at {@code /ws}.
 */
final class StubService implements AutoCloseable {

	private final Queue<Received> received = new ConcurrentLinkedQueue<>();

	private volatile Sinks.Empty<Void> release = Sinks.empty();

	/** Its own: an application that closes shuts those down that all share. */
	private final LoopResources loops = LoopResources.create("stub-service");

	private final DisposableServer server = HttpServer.create()
		.runOn(this.loops)
		.host("localhost")
		.maxKeepAliveRequests(1)
		.handle(this::handle)
		.bindNow(Duration.ofSeconds(60));

	private Publisher<Void> handle(HttpServerRequest request, HttpServerResponse response) {
		this.received.add(new Received(request.uri(), request.requestHeaders().getAll("X-Warmup")));
		response.header("X-Warmup-Service", "set-by-the-service");
		Mono<String> released = this.release.asMono().cast(String.class);
		return switch (request.uri()) {
			case "/held" -> response.sendString(released.defaultIfEmpty("fine"));
			case "/endless" -> response.sendString(Flux.concat(Mono.just("1"), released, Mono.just("2")));
			case "/events" -> response.header(HttpHeaderNames.CONTENT_TYPE, "text/event-stream;charset=UTF-8")
				.sendString(released.defaultIfEmpty("over"));
			case "/error" -> response.status(500).send();
			case "/ws" ->
				response.sendWebsocket((in, out) -> out.sendString(Flux.concat(Mono.just("hello"), released)));
			default -> response.sendString(Mono.just("fine"));
		};
	}

	String address() {
		return "http://localhost:" + this.server.port();
	}

	/** Releases all that is held now, and holds later requests. */
	void release() {
		Sinks.Empty<Void> before = this.release;
		this.release = Sinks.empty();
		before.tryEmitEmpty().orThrow();
	}

	/** The requests since the last call, without those that the gateway sends itself. */
	List<Received> drain() {
		List<Received> drained = this.received.stream().toList();
		this.received.removeAll(drained);
		return drained.stream().filter((each) -> !each.uri().startsWith("/.warmup/gateways/")).toList();
	}

	@Override
	public void close() {
		release();
		this.server.disposeNow(Duration.ofSeconds(30));
		this.loops.disposeLater(Duration.ZERO, Duration.ofSeconds(5)).block(Duration.ofSeconds(30));
	}

	record Received(String uri, List<String> claims) {

	}

}
