package dev.warmup.e2e;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/** A user who holds a stream of events open. */
final class Streams implements AutoCloseable {

	private final AtomicBoolean open = new AtomicBoolean();

	private final CompletableFuture<?> stream;

	private Streams(String url) {
		HttpRequest request = HttpRequest.newBuilder(URI.create(url)).header("Accept", "text/event-stream").build();
		this.stream = HttpClient.newHttpClient().sendAsync(request, (answer) -> {
			this.open.set(answer.statusCode() == 200);
			return HttpResponse.BodySubscribers.discarding();
		});
	}

	static Streams open(String url) {
		return new Streams(url);
	}

	boolean isOpen() {
		return this.open.get() && !this.stream.isDone();
	}

	@Override
	public void close() {
		this.stream.cancel(true);
	}

}
