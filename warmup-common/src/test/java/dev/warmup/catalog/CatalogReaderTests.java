package dev.warmup.catalog;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.warmup.protocol.Trigger;
import org.junit.jupiter.api.Test;

import org.springframework.core.io.ClassPathResource;
import org.springframework.http.HttpMethod;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

class CatalogReaderTests {

	@Test
	void readsTheWholeLifecycle() {
		Catalog catalog = NamedResource.read(new ClassPathResource("catalog/valid/user-lifecycle.yml"),
				Map.of("WARMUP_LOGIN", "s3cret")::get);
		assertThat(catalog.location()).isEqualTo("classpath:catalog/valid/user-lifecycle.yml");
		assertThat(catalog.variables().keySet()).containsExactly("room", "size", "tag");
		assertThat(catalog.scenarios()).hasSize(1);
		Scenario scenario = catalog.scenarios().get(0);
		assertThat(scenario.name()).isEqualTo("user-lifecycle");
		assertThat(scenario.service()).contains("chat-service");
		assertThat(scenario.when()).containsExactlyInAnyOrder(Trigger.STARTUP, Trigger.IDLE);
		assertThat(scenario.weight()).isEqualTo(3);
		assertThat(scenario.requests()).extracting(RequestTemplate::method, RequestTemplate::name)
			.containsExactly(tuple(HttpMethod.POST, "sign-up"),
					tuple(HttpMethod.GET, "GET /chat-service/users/{{userId}}"),
					tuple(HttpMethod.GET, "GET /chat-service/rooms/{{ room }}"));
		assertThat(scenario.cleanup()).extracting(RequestTemplate::name)
			.containsExactly("DELETE /chat-service/users/{{userId}}");
		RequestTemplate signUp = scenario.requests().get(0);
		assertThat(signUp.headers().get("ACCEPT")).hasToString("application/json");
		assertThat(signUp.timeout()).isEqualTo(Duration.ofSeconds(2));
		assertThat(signUp.expect().statuses()).containsExactly("201");
		assertThat(signUp.expect().mismatch(201, "{\"name\":\"Warm Up\",\"deleted\":null}")).isEmpty();
		RequestTemplate rooms = scenario.requests().get(2);
		assertThat(rooms.headers()).hasSize(3);
		assertThat(rooms.headers().get("Accept")).hasToString("text/plain");
		assertThat(rooms.timeout()).isEqualTo(Duration.ofMillis(500));
		assertThat(rooms.expect().statuses()).containsExactly("200", "4xx");
		assertThat(rooms.uri(Template.Scope.of(catalog))).startsWith("/chat-service/rooms/lobby?size=20&sort=name&");
	}

	@Test
	void whatTheFileLeavesOutHasADefault() {
		Scenario scenario = read("""
				version: 1
				scenarios:
				  - name: rooms
				    requests:
				      - GET /rooms
				      - GET /rooms
				      - { name: other, path: /other }
				""").scenarios().get(0);
		assertThat(scenario.service()).isEmpty();
		assertThat(scenario.when()).containsExactlyInAnyOrder(Trigger.STARTUP, Trigger.IDLE, Trigger.TRAIN);
		assertThat(scenario.weight()).isEqualTo(1);
		assertThat(scenario.cleanup()).isEmpty();
		assertThat(scenario.requests()).extracting(RequestTemplate::name)
			.containsExactly("GET /rooms", "GET /rooms (2)", "other");
		RequestTemplate request = scenario.requests().get(0);
		assertThat(request.timeout()).isEqualTo(Duration.ofSeconds(10));
		assertThat(request.body()).isEmpty();
		assertThat(request.expect()).isEqualTo(new Expectation(List.of("2xx"), Map.of()));
	}

	@Test
	void expectationKeepsWhatItDoesNotSetFromTheDefaults() {
		Expectation expect = read("""
				version: 1
				defaults: { expect: { json: { $.ok: true, $.a: 1 } } }
				scenarios:
				  - { name: rooms, requests: [ { path: /rooms, expect: { status: 200, json: { $.a: 2 } } } ] }
				""").scenarios().get(0).requests().get(0).expect();
		assertThat(expect.mismatch(200, "{\"ok\":true,\"a\":2}")).isEmpty();
		assertThat(expect.mismatch(200, "{\"a\":2}")).contains("$.ok is missing (expected true)");
	}

	@Test
	void secretOfTheEnvironmentIsSentButNeverPrinted() {
		Catalog catalog = read("""
				version: 1
				variables: { bearer: "Bearer {{env.WARMUP_LOGIN}}" }
				defaults: { headers: { Authorization: "{{bearer}}", X-Token: "{{env.WARMUP_LOGIN}}" } }
				scenarios:
				  - { name: rooms, requests: [GET /rooms] }
				""");
		Template.Scope scope = Template.Scope.of(catalog);
		Map<String, Template> headers = catalog.scenarios().get(0).requests().get(0).headers();
		assertThat(headers.get("Authorization").render(scope)).isEqualTo("Bearer s3cret");
		assertThat(headers.get("X-Token").render(scope)).isEqualTo("s3cret");
		assertThat(catalog + " " + scope).doesNotContain("s3cret").endsWith("Scope[bearer]");
	}

	private Catalog read(String text) {
		return NamedResource.read(new NamedResource(text), Map.of("WARMUP_LOGIN", "s3cret")::get);
	}

}
