package dev.warmup.bench.scenario;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import com.sun.net.httpserver.HttpServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class PoolWatchTests {

	private final AtomicInteger asked = new AtomicInteger();

	private HttpServer server;

	@BeforeEach
	void start() throws IOException {
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.server.start();
	}

	@AfterEach
	void stop() {
		this.server.stop(0);
	}

	@Test
	void theHighestNumberIsKept() {
		answer(200, "{\"measurements\":[{\"statistic\":\"VALUE\",\"value\":3.0}]}",
				"{\"measurements\":[{\"statistic\":\"VALUE\",\"value\":40.0}]}", "not JSON",
				"{\"measurements\":[{\"statistic\":\"VALUE\",\"value\":7.0}]}");
		PoolWatch watch = PoolWatch.start(url());
		await().atMost(Duration.ofSeconds(30)).until(() -> this.asked.get() > 4);
		watch.stop();
		assertThat(watch.highest()).hasValue(40);
	}

	@Test
	void aServiceWithoutThatMetricHasNoNumber() {
		answer(404, "");
		PoolWatch watch = PoolWatch.start(url());
		await().atMost(Duration.ofSeconds(30)).until(() -> this.asked.get() > 1);
		watch.stop();
		assertThat(watch.highest()).isEmpty();
	}

	private void answer(int status, String... bodies) {
		this.server.createContext("/", (exchange) -> {
			byte[] body = bodies[Math.min(this.asked.getAndIncrement(), bodies.length - 1)]
				.getBytes(StandardCharsets.UTF_8);
			exchange.sendResponseHeaders(status, (body.length == 0) ? -1 : body.length);
			try (exchange) {
				exchange.getResponseBody().write(body);
			}
		});
	}

	private String url() {
		return "http://127.0.0.1:" + this.server.getAddress().getPort() + "/";
	}

}
