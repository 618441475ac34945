package dev.warmup.bench.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.warmup.catalog.Body;
import dev.warmup.catalog.RequestTemplate;
import dev.warmup.catalog.Scope;

/**
 * Sends a user's requests over kept-alive HTTP/1.1 connections, one request at a time
 * each. As many threads may share it as there shall be connections.
 */
public final class Browser {

	private static final Duration TIMEOUT = Duration.ofSeconds(15);

	private static final int CONNECTIONS = 500;

	private static final int WALKS = 50;

	private final HttpClient http = HttpClient.newBuilder()
		.version(HttpClient.Version.HTTP_1_1)
		.connectTimeout(Duration.ofSeconds(5))
		.build();

	/**
	 * A browser that has just been used, with a stub of its own: what it costs a client
	 * to open its first connection, or to send its first request after a minute in which
	 * it only waited, is not the system's to answer for. To be called right before users
	 * come, so that each system is left alone for as long. Blocks for a second or two.
	 * @param journey what its users will ask for
	 * @return a browser without a connection
	 */
	public static Browser practised(Journey journey) {
		Browser browser = new Browser();
		browser.practise(journey);
		return browser;
	}

	/**
	 * Opens connections to a stub, one after the other, and walks through a journey
	 * there.
	 * @return what a user saw over the last hundred of the connections
	 */
	Experience practise(Journey journey) {
		try (StubServer stub = StubServer.start()) {
			HttpRequest request = HttpRequest.newBuilder(URI.create(stub.base() + StubServer.CLOSING))
				.timeout(TIMEOUT)
				.build();
			List<Visit> visits = new ArrayList<>();
			for (int i = 0; i < CONNECTIONS; i++) {
				long start = System.nanoTime();
				this.http.send(request, HttpResponse.BodyHandlers.discarding());
				long end = System.nanoTime();
				visits.add(new Visit("stub", end, Duration.ofNanos(end - start), Optional.empty()));
			}
			for (int i = 0; i < WALKS; i++) {
				journey.walk(this, stub.base(), (visit) -> {
				});
			}
			List<Visit> last = visits.subList(CONNECTIONS - 100, CONNECTIONS);
			return new Experience(last.get(0).ended() - last.get(0).latency().toNanos(), last);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("the stub does not answer", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("interrupted while practising", ex);
		}
	}

	/**
	 * Sends one request, and reads the answer to its end. Never fails: what goes wrong is
	 * in the visit. Blocks, at most 15 s.
	 * @param request what to send
	 * @param address where to
	 * @param scope the values of its placeholders
	 * @return the answer
	 */
	Page visit(RequestTemplate request, URI address, Scope scope) {
		HttpRequest ready = ready(request, address, scope);
		long start = System.nanoTime();
		try {
			HttpResponse<String> response = this.http.send(ready, HttpResponse.BodyHandlers.ofString());
			long end = System.nanoTime();
			Duration latency = Duration.ofNanos(end - start);
			return new Page(
					new Visit(request.name(), end, latency,
							request.expect().mismatch(response.statusCode(), latency, response.body())),
					response.body());
		}
		catch (IOException ex) {
			return failed(request, start, ex.toString());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return failed(request, start, "interrupted");
		}
	}

	private static Page failed(RequestTemplate request, long start, String problem) {
		long end = System.nanoTime();
		return new Page(new Visit(request.name(), end, Duration.ofNanos(end - start), Optional.of(problem)), "");
	}

	private static HttpRequest ready(RequestTemplate request, URI address, Scope scope) {
		HttpRequest.Builder builder = HttpRequest.newBuilder(address).timeout(TIMEOUT);
		request.headers().forEach((name, value) -> builder.setHeader(name, value.render(scope)));
		request.body()
			.flatMap(Body::contentType)
			.filter((type) -> !request.headers().containsKey("Content-Type"))
			.ifPresent((type) -> builder.setHeader("Content-Type", type.toString()));
		return builder
			.method(request.method().name(),
					request.body()
						.map((body) -> HttpRequest.BodyPublishers.ofByteArray(body.render(scope)))
						.orElseGet(HttpRequest.BodyPublishers::noBody))
			.build();
	}

	/**
	 * An answer with its body, which the next request may need.
	 *
	 * @param visit what came of it
	 * @param body the answer's body
	 */
	record Page(Visit visit, String body) {

	}

}
