package dev.warmup.test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.warmup.RunningApplication;
import dev.warmup.catalog.InvalidCatalogException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Over real HTTP, with the catalog in a file and no gateway. */
class WarmupCatalogsTests {

	private static final String LIFECYCLE = """
			version: 1
			variables: { name: lobby }
			scenarios:
			  - name: lifecycle
			    service: shop
			    unsafe: true
			    requests:
			      - name: create
			        method: POST
			        path: /shop/rooms
			        json: { name: "{{name}}" }
			        expect: { status: 201, json: { $.name: lobby } }
			        capture: { id: $.id }
			      - GET /shop/rooms/{{id}}
			    finally:
			      - DELETE /shop/rooms/{{id}}
			  - { name: home, when: [idle], requests: ["GET /shop?page=1", GET /shopping] }
			""";

	@TempDir
	private Path folder;

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "REACTIVE", "SERVLET" })
	void eachRequestIsSentOnceInOrder(WebApplicationType type) throws IOException {
		try (RunningApplication shop = start(type, "/rooms")) {
			WarmupCatalogs.verify(catalog(LIFECYCLE), shop.port());
			assertThat(shop.bean(Rooms.class).requests).containsExactly("create lobby", "find 7", "remove 7", "home",
					"shopping");
		}
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "REACTIVE", "SERVLET" })
	void whatARenameBreaksIsListedWithFileAndLine(WebApplicationType type) throws IOException {
		try (RunningApplication shop = start(type, "/chambers")) {
			String catalog = catalog(LIFECYCLE);
			String file = catalog.replace("file:", "");
			assertThatExceptionOfType(AssertionError.class)
				.isThrownBy(() -> WarmupCatalogs.verify(catalog, shop.port()))
				.satisfies((error) -> assertThat(error.getMessage().lines().skip(1)).containsExactly(
						"  " + file + ":8: POST /shop/rooms: 404 (expected 201)",
						"  " + file + ":14: GET /shop/rooms/{{id}}: No value is known for {{id}}",
						"  " + file + ":16: DELETE /shop/rooms/{{id}}: No value is known for {{id}}"));
			assertThat(shop.bean(Rooms.class).requests).containsExactly("home", "shopping");
		}
	}

	@Test
	void whateverFailsFinallyRunsAndSoDoesTheNextScenario() throws IOException {
		try (RunningApplication shop = start(WebApplicationType.REACTIVE, "/rooms")) {
			String catalog = catalog(LIFECYCLE.replace("- GET /shop/rooms/{{id}}", """
					- { path: /shop/silent, timeout: 100ms }
					      - { path: "/shop/rooms/{{id}}", capture: { door: $.door } }
					"""));
			assertThatExceptionOfType(AssertionError.class)
				.isThrownBy(() -> WarmupCatalogs.verify(catalog, shop.port()))
				.withMessageContaining(":14: GET /shop/silent: no answer within 100 ms")
				.withMessageContaining(":15: GET /shop/rooms/{{id}}: capture door found nothing at $['door']")
				.satisfies((error) -> assertThat(error.getMessage().lines()).hasSize(3));
			assertThat(shop.bean(Rooms.class).requests).containsExactly("create lobby", "find 7", "remove 7", "home",
					"shopping");
		}
	}

	@ParameterizedTest
	@CsvSource({ "/api/v1", "/api/v1/" })
	void aPrefixIsLeftOutAndEachPathHasToBeginWithIt(String prefix) throws IOException {
		try (RunningApplication shop = start(WebApplicationType.REACTIVE, "/rooms")) {
			String catalog = catalog("""
					version: 1
					scenarios:
					  - name: rooms
					    requests:
					      - GET /api/v1/rooms/3
					      - GET /api/v11/rooms/4
					      - GET /rooms/5
					""");
			assertThatExceptionOfType(AssertionError.class)
				.isThrownBy(() -> WarmupCatalogs.verify(catalog, shop.port(), "shop", prefix))
				.withMessageContaining(":6: GET /api/v11/rooms/4: the path does not begin with /api/v1")
				.withMessageContaining(":7: GET /rooms/5: the path does not begin with /api/v1")
				.satisfies((error) -> assertThat(error.getMessage().lines()).hasSize(3));
			assertThat(shop.bean(Rooms.class).requests).containsExactly("find 3");
		}
	}

	@Test
	void ofAFileForSeveralServicesOnlyTheScenariosOfOneAreSent() throws IOException {
		try (RunningApplication shop = start(WebApplicationType.REACTIVE, "/rooms")) {
			String shared = catalog("""
					version: 1
					scenarios:
					  - { name: others, service: orders, requests: [GET /rooms/1] }
					  - { name: own, service: Shop, requests: [GET /rooms/2] }
					  - { name: everybody's, requests: [GET /rooms/3] }
					""");
			WarmupCatalogs.verify(shared, shop.port(), "shop", "");
			assertThat(shop.bean(Rooms.class).requests).containsExactly("find 2", "find 3");
			assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> WarmupCatalogs.verify(shared, shop.port()))
				.withMessageContaining("orders and Shop");
			assertThat(shop.bean(Rooms.class).requests).hasSize(2);
		}
	}

	@Test
	void requestsLogInAsTheApplicationsOwnDo() throws IOException {
		try (RunningApplication shop = start(WebApplicationType.REACTIVE, "/rooms")) {
			String catalog = catalog("{ version: 1, scenarios: [{ name: one, requests: [GET /account] }] }");
			WarmupCatalogs.verify(catalog, shop.port(), "shop", "",
					(builder) -> builder.defaultHeader("Authorization", "Bearer token"));
			assertThat(shop.bean(Rooms.class).requests).containsExactly("account of Bearer token");
		}
	}

	@Test
	void aCatalogWithNothingToSendFails() throws IOException {
		String others = catalog("{ version: 1, scenarios: [{ name: one, service: orders, requests: [GET /a] }] }");
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> WarmupCatalogs.verify(others, 1, "shop", ""))
			.withMessageContaining("nothing to send for 'shop'");
		String none = catalog("{ version: 1, scenarios: [] }");
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> WarmupCatalogs.verify(none, 1))
			.withMessageContaining("nothing to send");
	}

	@Test
	void anInvalidCatalogFailsAsAtTheStart() throws IOException {
		String invalid = catalog("{ version: 1, scenarios: [{ name: one, requests: [DELETE /rooms] }] }");
		assertThatExceptionOfType(InvalidCatalogException.class).isThrownBy(() -> WarmupCatalogs.verify(invalid, 1))
			.withMessageContaining("DELETE may change data");
		assertThatExceptionOfType(InvalidCatalogException.class)
			.isThrownBy(() -> WarmupCatalogs.verify("classpath:no-such-file.yml", 1))
			.withMessageContaining("the file is missing");
	}

	@Test
	void anApplicationThatIsNotThereFailsEachRequest() throws IOException {
		String catalog = catalog("{ version: 1, scenarios: [{ name: one, requests: [GET /a, GET /b] }] }");
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> WarmupCatalogs.verify(catalog, 1))
			.satisfies((error) -> assertThat(error.getMessage().lines().skip(1)).hasSize(2)
				.allSatisfy((line) -> assertThat(line).contains(":1: GET /", "Connection refused")));
	}

	private String catalog(String yaml) throws IOException {
		return "file:" + Files.writeString(this.folder.resolve("warmup-requests.yml"), yaml);
	}

	private static RunningApplication start(WebApplicationType type, String path) {
		return RunningApplication.service(Shop.class, type, "warmup.enabled=false", "rooms=" + path);
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Rooms.class)
	static class Shop {

	}

	@RestController
	static class Rooms {

		private final List<String> requests = new CopyOnWriteArrayList<>();

		@PostMapping("${rooms}")
		@ResponseStatus(HttpStatus.CREATED)
		Map<String, Object> create(@RequestBody Map<String, Object> room) {
			this.requests.add("create " + room.get("name"));
			return Map.of("id", 7, "name", room.get("name"));
		}

		@GetMapping("${rooms}/{id}")
		Map<String, Object> find(@PathVariable long id) {
			this.requests.add("find " + id);
			return Map.of("id", id);
		}

		@DeleteMapping("${rooms}/{id}")
		@ResponseStatus(HttpStatus.NO_CONTENT)
		void remove(@PathVariable long id) {
			this.requests.add("remove " + id);
		}

		@RequestMapping("/")
		String home() {
			this.requests.add("home");
			return "home";
		}

		@GetMapping("/shopping")
		String shopping() {
			this.requests.add("shopping");
			return "shopping";
		}

		@GetMapping("/account")
		String account(@RequestHeader("Authorization") String login) {
			this.requests.add("account of " + login);
			return "account";
		}

		@GetMapping("/silent")
		CompletableFuture<String> silent() {
			return new CompletableFuture<>();
		}

	}

}
