package dev.warmup.bench.variant;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import com.sun.net.httpserver.HttpServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MittensClientTests {

	private static final Schedule SHORT = new Schedule(3, Duration.ofMillis(5), Duration.ofMillis(100));

	private final Queue<String> seen = new ConcurrentLinkedQueue<>();

	private HttpServer server;

	private URI target;

	@BeforeEach
	void startServer() throws IOException {
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.server.createContext("/", (exchange) -> {
			this.seen.add(exchange.getRequestURI().getPath() + " " + exchange.getRequestHeaders().getFirst("X-Kind"));
			exchange.sendResponseHeaders(exchange.getRequestURI().getPath().equals("/fine") ? 204 : 404, -1);
			exchange.close();
		});
		this.server.start();
		this.target = URI.create("http://127.0.0.1:" + this.server.getAddress().getPort());
	}

	@AfterEach
	void stopServer() {
		this.server.stop(0);
	}

	@Test
	void countsEveryRequestThatTheServiceSawAndTheUnexpectedAnswers() {
		Effort effort = warm("/fine", "/missing");
		assertThat(effort.requests()).isEqualTo(this.seen.size()).isGreaterThanOrEqualTo(SHORT.workers());
		assertThat(effort.unexpected())
			.isEqualTo(this.seen.stream().filter((request) -> request.startsWith("/missing")).count());
		assertThat(this.seen).allMatch((request) -> request.endsWith(" test"));
	}

	@Test
	void requestsThatNobodyAnswersAreUnexpected() {
		this.server.stop(0);
		Effort effort = warm("/fine");
		assertThat(effort.requests()).isPositive().isEqualTo(effort.unexpected());
	}

	@Test
	void anAnswerThatNeverEndsIsUnexpectedAndDoesNotHoldUpTheRest() {
		this.server.createContext("/endless", (exchange) -> {
			this.seen.add("/endless");
			exchange.sendResponseHeaders(200, 0);
			exchange.getResponseBody().flush();
		});
		assertThat(warm("/endless")).isEqualTo(new Effort(this.seen.size(), this.seen.size()));
	}

	private Effort warm(String... paths) {
		List<StaticRequest> requests = List.of(paths)
			.stream()
			.map((path) -> new StaticRequest("GET", path, Optional.empty()))
			.toList();
		return new MittensClient(Duration.ofSeconds(2)).warm(this.target, SHORT, Map.of("X-Kind", "test"), requests);
	}

}
