package dev.warmup.bench.scenario;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Asks Eureka ten times a second, in a thread of its own, until an instance that was not
 * there before is UP. Closing it ends the thread.
 */
final class RegistryWatch implements AutoCloseable {

	private static final Duration PERIOD = Duration.ofMillis(100);

	private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	private final HttpRequest request;

	private final Thread thread;

	private volatile Optional<Instant> joined = Optional.empty();

	private RegistryWatch(URI application) {
		this.request = HttpRequest.newBuilder(application)
			.header("Accept", "application/json")
			.timeout(Duration.ofSeconds(5))
			.build();
		this.thread = new Thread(this::watch, "registry-watch");
		this.thread.setDaemon(true);
	}

	/**
	 * Begins to watch.
	 * @param application such as {@code http://127.0.0.1:8761/eureka/apps/CHAT-SERVICE}
	 * @return the running watch
	 */
	static RegistryWatch of(URI application) {
		RegistryWatch watch = new RegistryWatch(application);
		watch.thread.start();
		return watch;
	}

	/**
	 * When the new instance was UP.
	 * @return the moment when the first question was sent whose answer said so, at most
	 * some 100 ms late; empty as long as there was none
	 */
	Optional<Instant> joined() {
		return this.joined;
	}

	private void watch() {
		Optional<Registered> before = Optional.empty();
		try {
			while (this.joined.isEmpty()) {
				Instant asked = Instant.now();
				Registered now = ask();
				if (before.filter(now::isJoined).isPresent()) {
					this.joined = Optional.of(asked);
				}
				if (before.isEmpty() && !now.statuses().isEmpty()) {
					before = Optional.of(now);
				}
				Thread.sleep(PERIOD.toMillis());
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt(); // closed
		}
	}

	private Registered ask() throws InterruptedException {
		try {
			return Registered.of(this.http.send(this.request, HttpResponse.BodyHandlers.ofString()).body());
		}
		catch (IOException ex) {
			return Registered.of("");
		}
	}

	@Override
	public void close() {
		this.thread.interrupt();
	}

}
