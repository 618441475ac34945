package dev.warmup.bench.growth;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;

import dev.warmup.catalog.Catalog;
import dev.warmup.catalog.CatalogReader;
import dev.warmup.catalog.RequestTemplate;
import dev.warmup.catalog.Scenario;
import dev.warmup.catalog.Scope;
import dev.warmup.catalog.Trigger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.core.io.ByteArrayResource;
import org.springframework.http.HttpMethod;

import static org.assertj.core.api.Assertions.assertThat;

class WideCatalogTests {

	@ParameterizedTest
	@ValueSource(ints = { 10, 13, 100, 1000 })
	void theLibraryReadsAsManyDifferentSafeRequestsAsWanted(int requests) {
		Catalog catalog = read(requests);
		List<RequestTemplate> read = catalog.scenariosFor("chat-service", Trigger.STARTUP)
			.stream()
			.flatMap((scenario) -> scenario.requests().stream())
			.toList();
		assertThat(read).hasSize(requests).allMatch((request) -> request.method().equals(HttpMethod.GET));
		assertThat(new HashSet<>(read.stream().map((request) -> request.uri(Scope.of(catalog))).toList()))
			.hasSize(requests);
		assertThat(read).extracting(RequestTemplate::name).doesNotHaveDuplicates();
	}

	@ParameterizedTest
	@ValueSource(ints = { 10, 100, 1000 })
	void everySizeIsReplayedSideBySideInScenariosOfOneSize(int requests) {
		assertThat(read(requests).scenarios()).hasSize(requests / 5)
			.hasSizeGreaterThan(1)
			.extracting(Scenario::requests)
			.allMatch((each) -> each.size() == 5);
	}

	private static Catalog read(int requests) {
		return new CatalogReader()
			.read(new ByteArrayResource(WideCatalog.of(requests).getBytes(StandardCharsets.UTF_8)));
	}

}
