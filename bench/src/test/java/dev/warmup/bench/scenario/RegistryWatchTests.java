package dev.warmup.bench.scenario;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import com.sun.net.httpserver.HttpServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class RegistryWatchTests {

	private static final String OLD = "{\"instanceId\":\"a\",\"status\":\"UP\"}";

	private static final List<String> ANSWERS = List.of("down for now", list(OLD),
			list(OLD + ",{\"instanceId\":\"b\",\"status\":\"STARTING\"}"),
			list(OLD + ",{\"instanceId\":\"b\",\"status\":\"UP\"}"));

	private final AtomicInteger asked = new AtomicInteger();

	private volatile Instant lastCold = Instant.MIN;

	private HttpServer registry;

	@BeforeEach
	void start() throws IOException {
		this.registry = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.registry.createContext("/", (exchange) -> {
			boolean json = "application/json".equals(exchange.getRequestHeaders().getFirst("Accept"));
			int number = Math.min(this.asked.getAndIncrement(), ANSWERS.size() - 1);
			byte[] answer = (json ? ANSWERS.get(number) : "<xml/>").getBytes(StandardCharsets.UTF_8);
			if (number < ANSWERS.size() - 1) {
				this.lastCold = Instant.now();
			}
			exchange.sendResponseHeaders(200, answer.length);
			try (OutputStream body = exchange.getResponseBody()) {
				body.write(answer);
			}
		});
		this.registry.start();
	}

	@AfterEach
	void stop() {
		this.registry.stop(0);
	}

	@Test
	void theMomentIsThatOfTheFirstQuestionWhoseAnswerShowsTheNewInstanceUp() {
		URI address = URI.create("http://127.0.0.1:" + this.registry.getAddress().getPort() + "/");
		try (RegistryWatch watch = RegistryWatch.of(address)) {
			await().atMost(Duration.ofMinutes(1))
				.untilAsserted(() -> assertThat(watch.joined())
					.hasValueSatisfying((joined) -> assertThat(joined).isAfter(this.lastCold)));
			assertThat(this.asked).hasValue(ANSWERS.size());
		}
	}

	private static String list(String instances) {
		return "{\"application\":{\"instance\":[" + instances + "]}}";
	}

}
