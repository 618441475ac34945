package dev.warmup.proposal;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

import dev.warmup.RunningApplication;
import dev.warmup.catalog.Catalog;
import dev.warmup.catalog.CatalogSource;
import dev.warmup.catalog.RequestTemplate;
import dev.warmup.catalog.Scenario;
import dev.warmup.catalog.Template;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.Email;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/** The same controllers on both web stacks, called by users, with and without secrets. */
@ExtendWith(OutputCaptureExtension.class)
class ProposalTests {

	private static final String CATALOG = "/actuator/warmup/catalog";

	private static final String[] SECRETS = { "471147114711", "jane@example.org", "s3cr3t-query", "s3cr3t-header",
			"s3cr3t-body" };

	private static final Map<WebApplicationType, RunningApplication> SERVICES = new EnumMap<>(WebApplicationType.class);

	@BeforeAll
	static void serveUsers(@TempDir Path folder) throws IOException {
		Path catalog = Files.writeString(folder.resolve("warmup-requests.yml"), """
				version: 1
				scenarios:
				  - name: present
				    requests:
				      - GET /hotel/status?verbose=true
				      - { path: /hotel/rooms, capture: { room: "$[0].id" } }
				      - GET /hotel/rooms/{{room}}
				""");
		for (WebApplicationType type : List.of(WebApplicationType.SERVLET, WebApplicationType.REACTIVE)) {
			RunningApplication service = RunningApplication.service(Hotel.class, type,
					"spring.application.name=hotel-service", "warmup.catalog=" + catalog.toUri());
			SERVICES.put(type, service);
			for (int i = 0; i < 3; i++) {
				service.get("/search?q=" + SECRETS[2], "Authorization", SECRETS[3]);
			}
			service.get("/rooms/" + SECRETS[0]);
			service.get("/rooms/" + SECRETS[0]);
			service.get("/reports/" + SECRETS[1]);
			service.send(HttpMethod.POST, "/rooms", "{\"name\":\"%s\",\"seats\":5}".formatted(SECRETS[4]),
					"Content-Type", "application/json");
		}
	}

	@AfterAll
	static void stop() {
		SERVICES.values().forEach(RunningApplication::close);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void itIsACatalogOnceItsVariablesAreFilledInAndItsWritesToo(WebApplicationType type) {
		HttpResponse<String> answer = SERVICES.get(type).get(CATALOG);
		assertThat(answer.headers().firstValue("Content-Type").orElse("")).startsWith("text/yaml");
		assertThat(read(filledIn(answer.body())).scenarios()).hasSizeGreaterThan(3);
		assertThat(read(complete(type)).scenarios()).extracting(Scenario::name).contains("ready", "POST /rooms");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void itHasEveryEndpointAndSaysWhyOthersAreLeftOut(WebApplicationType type) {
		Catalog catalog = read(complete(type));
		assertThat(catalog.scenarios()
			.stream()
			.flatMap((scenario) -> Stream.concat(scenario.requests().stream(), scenario.cleanup().stream()))
			.map((request) -> request.method() + " " + request.path().source()))
			.contains("GET /rooms", "GET /status", "GET /rooms/{{rooms_id}}", "GET /search",
					"GET /reports/{{my_reports_year}}", "POST /rooms", "PUT /rooms/{{rooms_id}}",
					"DELETE /rooms/{{rooms_id}}", "GET /rooms/{{rooms_id}}/guests/{{rooms_guests_id}}")
			.noneMatch((request) -> request.contains("actuator") || request.contains("error"));
		assertThat(proposal(type, "")).contains("GET /events: its answer is a stream",
				"POST /pictures: it takes a form or files", "GET /files/**: its path has a wildcard",
				"GET /tenants: it needs the header X-Tenant", "ANY /legacy: its mapping names no method",
				"POST /odd: its types cannot be read");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void whatUsersCallMostComesFirst(WebApplicationType type) {
		assertThat(read(complete(type)).scenarios()).extracting(Scenario::name)
			.containsSubsequence("ready", "GET /search", "GET /rooms/{id}", "GET /reports/{year}",
					"GET /rooms/{id}/guests/{number:\\d+}");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void aVariableIsCapturedFromTheCollectionAndInWritesFromWhatIsMadeAndRemoved(WebApplicationType type) {
		Catalog catalog = read(complete(type));
		assertThat(scenario(catalog, "GET /rooms/{id}/guests/{number:\\d+}").requests())
			.extracting((request) -> request.path().source() + request.captures().keySet())
			.containsExactly("/rooms[rooms_id]", "/rooms/{{rooms_id}}/guests[rooms_guests_id]",
					"/rooms/{{rooms_id}}/guests/{{rooms_guests_id}}[]");
		Scenario change = scenario(catalog, "PUT /rooms/{id}");
		assertThat(change.requests()).extracting((request) -> request.method().name()).containsExactly("POST", "PUT");
		assertThat(change.cleanup()).extracting(RequestTemplate::name).containsExactly("DELETE /rooms/{{rooms_id}}");
		assertThat(catalog.scenarios()).extracting(Scenario::name).doesNotContain("DELETE /rooms/{id}");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void aBodyIsMadeOfItsTypeAndConstraints(WebApplicationType type) {
		Catalog catalog = read(complete(type));
		byte[] content = scenario(catalog, "POST /rooms").requests()
			.get(0)
			.content(Template.Scope.of(catalog))
			.orElseThrow();
		JsonNode body = JsonMapper.shared().readTree(content);
		assertThat(body.at("/name").asString()).hasSizeBetween(10, 12);
		assertThat(body.at("/contact").asString()).endsWith("@warmup.invalid");
		assertThat(body.at("/seats").asInt()).isEqualTo(2);
		assertThat(body.at("/kind").asString()).isEqualTo("SINGLE");
		assertThat(body.at("/color").asString()).isEqualTo("blue");
		assertThat(UUID.fromString(body.at("/guests/0/id").asString())).isNotNull();
		assertThat(proposal(type, "")).contains("code must match [A-Z]{3}");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void whatHasNoIdInItsAnswerIsRemovedByItsLocation(WebApplicationType type) {
		Catalog catalog = read(complete(type));
		Scenario build = scenario(catalog, "POST /halls");
		assertThat(build.cleanup()).extracting(RequestTemplate::name).containsExactly("DELETE /halls/{{halls_id}}");
		assertThat(build.requests().get(0).content(Template.Scope.of(catalog)).map(String::new).orElseThrow())
			.contains("password");
		assertThat(catalog.scenarios().get(0).requests()).extracting((request) -> request.path().source())
			.contains("/", "/halls");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void pathsBeginWithThePrefixThatIsAskedForOrThatAGatewayTold(WebApplicationType type) {
		RunningApplication service = SERVICES.get(type);
		assertThat(proposal(type, "?prefix=/a/b")).contains("- GET /a/b/status");
		tell(service, "/hotel");
		assertThat(proposal(type, "")).contains("- GET /hotel/status").contains("strips: /hotel");
		assertThat(proposal(type, "?prefix=/other")).contains("- GET /other/status");
		tell(service, "");
		assertThat(proposal(type, "")).contains("- GET /status");
		assertThat(service.get(CATALOG + "?prefix=no-path").statusCode()).isEqualTo(404);
		assertThat(service.get("/actuator/warmup/others").statusCode()).isEqualTo(404);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void onlyWhatThePresentCatalogLacksCanBeAskedFor(WebApplicationType type) {
		String missing = filledIn(proposal(type, "?missing=true&prefix=/hotel"));
		assertThat(read(missing).scenarios()).extracting(Scenario::name)
			.doesNotContain("GET /rooms/{id}")
			.startsWith("ready", "GET /search");
		assertThat(missing).doesNotContain("- GET /hotel/status");
		assertThat(proposal(type, "?missing=false&prefix=/hotel")).contains("- GET /hotel/status");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void theStateNamesWhatTheCatalogLacksAndItsShareOfUsersCalls(WebApplicationType type) {
		RunningApplication service = SERVICES.get(type);
		RunningApplication.await(() -> tell(service, "/hotel").at("/run/verdict").asString().equals("SKIPPED"));
		JsonNode findings = tell(service, "/hotel").at("/run/findings");
		tell(service, "");
		assertThat(findings.at("/uncovered").asInt()).isGreaterThan(3);
		assertThat(findings.at("/share").asDouble()).isBetween(0.7, 0.8); // 5 of 7
		assertThat(findings.at("/requests/0/request").asString()).isEqualTo("GET /search");
		assertThat(findings.at("/requests/0/share").asDouble()).isBetween(0.4, 0.5); // 3
		assertThat(findings.at("/requests").toString()).doesNotContain("seats", "contact"); // no
																							// body
		String entry = findings.at("/requests/0/entry").asString();
		assertThat(read(filledIn("version: 1\nvariables: { my_search_q: x }\nscenarios:\n" + entry)).scenarios())
			.extracting(Scenario::name)
			.containsExactly("GET /search");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void noValueOfAnyUserAppears(WebApplicationType type, CapturedOutput log) {
		RunningApplication service = SERVICES.get(type);
		tell(service, "/hotel");
		assertThat(Stream
			.of(proposal(type, ""), proposal(type, "?missing=true"), tell(service, "/hotel").toString(),
					service.get("/actuator/warmup").body(),
					service.get("/actuator/metrics/http.server.requests").body(), log.getAll())
			.toList()).allSatisfy((text) -> assertThat(text).doesNotContain(SECRETS));
		tell(service, "");
	}

	/** As a gateway's look does, and returns the state. */
	private static JsonNode tell(RunningApplication service, String prefix) {
		return JsonMapper.shared()
			.readTree(service.get("/.warmup/state?gateway=gw-1&prefix=" + prefix, "X-Warmup-Gateway", "gw-1").body());
	}

	private static String proposal(WebApplicationType type, String query) {
		return SERVICES.get(type).get(CATALOG + query).body();
	}

	/** With all writes. */
	private static String complete(WebApplicationType type) {
		return filledIn(proposal(type, "?prefix=").replaceAll("(?m)^#(?= {2})", ""));
	}

	private static String filledIn(String proposal) {
		return proposal.replaceAll("(?m)^( {2}my_\\w+:).*$", "$1 1");
	}

	private static Catalog read(String yaml) {
		return CatalogSource.required(new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8))).current();
	}

	private static Scenario scenario(Catalog catalog, String name) {
		return catalog.scenarios().stream().filter((each) -> each.name().equals(name)).findFirst().orElseThrow();
	}

	/** A service on either stack. */
	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Hotel {

		/** Found as a member of the application's class. */
		@RestController
		static class Controller {

			@GetMapping("/rooms")
			List<Room> rooms() {
				return List.of(new Room(1, "blue"));
			}

			@GetMapping("/rooms/{id}")
			ResponseEntity<Room> room(@PathVariable long id) {
				return ResponseEntity.ok(new Room(id, "blue"));
			}

			@PostMapping("/rooms")
			@ResponseStatus(HttpStatus.CREATED)
			Room open(@RequestBody NewRoom room) {
				return new Room(2, room.name());
			}

			@PutMapping("/rooms/{id}")
			Room change(@PathVariable long id, @RequestBody NewRoom room) {
				return new Room(id, room.name());
			}

			@DeleteMapping("/rooms/{id}")
			@ResponseStatus(HttpStatus.NO_CONTENT)
			void close(@PathVariable long id) {
			}

			@GetMapping("/rooms/{id}/guests")
			Guests guests(@PathVariable long id) {
				return new Guests(List.of(), 0);
			}

			@GetMapping("/rooms/{id}/guests/{number:\\d+}")
			Guest guest(@PathVariable long id, @PathVariable int number) {
				return new Guest(UUID.randomUUID(), number);
			}

			@GetMapping("/search")
			String search(@RequestParam String q, @RequestParam(defaultValue = "10") int limit) {
				return "nothing";
			}

			@GetMapping("/status")
			String status() {
				return "fine";
			}

			@GetMapping("/reports/{year}")
			String report(@PathVariable String year) {
				return "empty";
			}

			@GetMapping(path = "/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
			String events() {
				return "";
			}

			@PostMapping(path = "/pictures", consumes = MediaType.MULTIPART_FORM_DATA_VALUE)
			void picture() {
			}

			@GetMapping("/files/**")
			String file() {
				return "";
			}

			@RequestMapping("/legacy")
			Room legacy(@RequestBody NewRoom room) {
				return new Room(4, room.name());
			}

			@GetMapping
			String home() {
				return "home";
			}

			@GetMapping(path = "/halls", produces = MediaType.APPLICATION_JSON_VALUE)
			List<Room> halls() {
				return List.of();
			}

			@GetMapping(path = "/halls", produces = MediaType.TEXT_PLAIN_VALUE)
			String hallsAsText() {
				return "";
			}

			@PostMapping("/halls")
			ResponseEntity<Void> build(@RequestBody Hall hall) {
				return ResponseEntity.created(URI.create("/halls/1")).build();
			}

			@DeleteMapping("/halls/{id}")
			void raze(@PathVariable long id) {
			}

			@PostMapping("/odd")
			void odd(@RequestBody Odd odd) {
			}

			@GetMapping("/tenants")
			String tenant(@RequestHeader("X-Tenant") String tenant) {
				return tenant;
			}

		}

	}

	/** Users send a password, and never get it; no value of its style exists. */
	record Hall(String name, @JsonProperty(access = JsonProperty.Access.WRITE_ONLY) String password, Style style) {

	}

	enum Style {

	}

	/** Of which Jackson cannot say what it looks like. */
	static class Odd {

		public void setName(List<String> names) {
		}

		public void setName(Map<String, String> names) {
		}

	}

	record Room(long id, String name) {

	}

	record Guest(UUID id, int number) {

	}

	record Guests(List<Guest> items, int total) {

	}

	enum Kind {

		SINGLE, DOUBLE

	}

	record NewRoom(@Size(min = 10, max = 12) String name, @Email String contact, @Min(2) @Max(4) int seats, Kind kind,
			List<Guest> guests, @Pattern(regexp = "[A-Z]{3}") String code, @Schema(example = "blue") String color) {

	}

}
