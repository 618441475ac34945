package dev.warmup.bench.load;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class StubServerTests {

	private static final Path CATALOG = Path.of("../chat-service/src/main/resources/warmup-requests.yml");

	@Test
	void everyRequestOfTheCatalogIsAnsweredAsItExpects() {
		Journey journey = Journey.through(CATALOG, "chat-service");
		List<Visit> visits = new ArrayList<>();
		try (StubServer stub = StubServer.start()) {
			journey.walk(new Browser(), stub.base(), visits::add);
		}

		assertThat(visits).allSatisfy((visit) -> assertThat(visit.problem()).as(visit.request()).isEmpty());
		assertThat(visits).extracting(Visit::request).containsExactlyElementsOf(journey.requests());
	}

	@Test
	void aBrowserPractisesToOpenConnections() {
		Journey journey = Journey.through(CATALOG, "chat-service");
		assertThat(new Browser().practise(journey).visits()).hasSize(100)
			.allSatisfy((visit) -> assertThat(visit.latency()).isPositive());
	}

}
