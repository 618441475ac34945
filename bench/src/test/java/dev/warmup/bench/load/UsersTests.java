package dev.warmup.bench.load;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

import com.sun.net.httpserver.HttpServer;
import dev.warmup.bench.stack.App;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class UsersTests {

	private final AtomicInteger requests = new AtomicInteger();

	private HttpServer server;

	private volatile Instant stalledUntil = Instant.MIN;

	@BeforeEach
	void start() throws IOException {
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.server.setExecutor((task) -> new Thread(task).start());
		this.server.createContext("/", (exchange) -> {
			this.requests.incrementAndGet();
			while (Instant.now().isBefore(this.stalledUntil)) {
				App.sleep(Duration.ofMillis(10));
			}
			exchange.sendResponseHeaders(200, -1);
			exchange.close();
		});
		this.server.start();
	}

	@AfterEach
	void stop() {
		this.server.stop(0);
	}

	private Users users(int perSecond) {
		return new Users("http://127.0.0.1:%d/".formatted(this.server.getAddress().getPort()), perSecond,
				(answer) -> "one");
	}

	@Test
	void usersArriveOnTimeDuringAStallAndAllOfThemSeeIt() {
		this.stalledUntil = Instant.now().plusSeconds(30); // until the client has started
		try (Users users = users(20)) {
			this.stalledUntil = Instant.now().plusMillis(2500);
			users.during(Duration.ofSeconds(2));
			int during = this.requests.get();
			List<Sample> samples = users.finish();
			assertThat(during).isGreaterThan(5); // a closed model would have sent one
			assertThat(samples).hasSize(this.requests.get());
			Sample first = samples.stream().min(Comparator.comparing(Sample::start)).orElseThrow();
			Sample late = samples.stream()
				.filter((sample) -> sample.start().isAfter(first.start().plusMillis(500)))
				.findFirst()
				.orElseThrow();
			assertThat(first.latency()).isGreaterThan(Duration.ofMillis(1000));
			assertThat(late.end()).isAfterOrEqualTo(this.stalledUntil.minusMillis(50));
		}
	}

	@Test
	void theStubLetsAUserMakeTheWholeJourney() {
		assertThat(new Journey().warmUp(1)).extracting(Sample::request)
			.containsExactlyElementsOf(Journey.REQUESTS.stream().map(Journey.Request::name).toList());
	}

	@Test
	void theJourneyHasTheRequestsOfTheCatalog() throws IOException {
		String catalog = Files.readString(Path.of("../docker/warmup-requests.yml"));
		assertThat(Pattern.compile("^      - name: (\\S+)", Pattern.MULTILINE).matcher(catalog).results())
			.extracting((name) -> name.group(1))
			.isEqualTo(Journey.REQUESTS.stream().map(Journey.Request::name).toList());
	}

}
