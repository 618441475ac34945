package dev.warmup.e2e.adopter;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** A service that nobody has written a catalog for is warmed by what it suggests. */
@Tag("full")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@ResourceLock(RunningApplication.LOCK)
class ProposalIT {

	private static final Duration SOON = Duration.ofSeconds(90);

	private static RunningApplication registry;

	private static RunningApplication gateway;

	private static RunningApplication books;

	@BeforeAll
	static void start() {
		registry = RunningApplication.registry();
		String route = "spring.cloud.gateway.server.webflux.routes[0].";
		gateway = RunningApplication.gateway(Applications.Aggregator.class,
				registry.client("gateway", route + "id=books", route + "uri=lb://books",
						route + "predicates[0]=Path=/library/**", route + "filters[0]=StripPrefix=1"));
		books = RunningApplication.jdbcService(BooksService.class,
				registry.client("books", "spring.datasource.url=jdbc:h2:mem:books", "warmup.catalog=suggested",
						"warmup.steady.tolerance=1000", "warmup.steady.window=5"));
	}

	@AfterAll
	static void stop() {
		Stream.of(books, gateway, registry).forEach(RunningApplication::close);
	}

	@Test
	void whatNeedsNothingIsReplayedThroughTheGatewayAndTheRestProposed() {
		Awaitility.await()
			.atMost(SOON)
			.until(() -> books.json("/actuator/warmup").at("/runs/0/verdict").asString(), "WARM"::equals);
		JsonNode run = books.json("/actuator/warmup").at("/runs/0");
		assertThat(run.at("/requests").valueStream().map((request) -> request.at("/name").asString()))
			.containsExactlyInAnyOrder("GET /library/authors", "GET /library/books", "GET /library/statistics");
		assertThat(run.at("/findings/requests").valueStream().map((request) -> request.at("/request").asString()))
			.contains("GET /books/{id}");
		assertThat(books.get("/actuator/warmup/catalog").body()).contains("/library/books/{{books_id}}");
		Awaitility.await() // the gateway's next look
			.atMost(SOON)
			.until(() -> gateway.json("/actuator/warmup").at("/fleet/0/run/findings/uncovered").asInt(0) > 0);
	}

}
