package dev.warmup.bench.load;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import com.sun.net.httpserver.HttpServer;
import dev.warmup.bench.stack.App;
import dev.warmup.catalog.CatalogSource;
import dev.warmup.catalog.RequestTemplate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.core.io.FileSystemResource;
import org.springframework.core.io.Resource;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class UsersTests {

	private final AtomicInteger requests = new AtomicInteger();

	private HttpServer server;

	private volatile Instant stalledUntil = Instant.MIN;

	private volatile int status = 200;

	@BeforeEach
	void start() throws IOException {
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.server.setExecutor((task) -> new Thread(task).start());
		this.server.createContext("/", (exchange) -> {
			this.requests.incrementAndGet();
			while (Instant.now().isBefore(this.stalledUntil)) {
				App.sleep(Duration.ofMillis(10));
			}
			exchange.sendResponseHeaders(this.status, -1);
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
			assertThat(samples.stream().map((sample) -> sample.start().toEpochMilli() % 50).distinct()).hasSize(1);
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
	void anErrorIsRecordedWithItsStatusAndIsNotExpected() {
		this.status = 503;
		try (Users users = users(20)) {
			users.during(Duration.ofMillis(300));
			Summary summary = Summary.of(users.finish());
			assertThat(summary.errors()).isEqualTo(summary.count()).isPositive();
		}
	}

	@Test
	void theStubLetsAUserMakeTheWholeJourney() {
		assertThat(new Journey().warmUp(1)).extracting(Sample::request)
			.containsExactlyElementsOf(Journey.REQUESTS.stream().map(Journey.Request::name).toList());
	}

	@Test
	void theJourneyHasTheRequestsOfTheCatalog() {
		Resource catalog = new FileSystemResource("../chat-service/src/main/resources/warmup-requests.yml");
		assertThat(CatalogSource.required(catalog).current().scenarios())
			.flatExtracting(
					(scenario) -> Stream.concat(scenario.requests().stream(), scenario.cleanup().stream()).toList())
			.extracting(RequestTemplate::name)
			.isEqualTo(Journey.REQUESTS.stream().map(Journey.Request::name).toList());
	}

	@Test
	void whatNeedsAMissingValueIsSkipped() {
		assertThat(new Journey().walk("http://127.0.0.1:%d".formatted(this.server.getAddress().getPort())))
			.extracting(Sample::request)
			.containsExactly("sign-up", "sign-up-twice", "list-rooms", "author-signs-up", "invalid-sign-up",
					"invalid-limit", "unknown-user");
	}

}
