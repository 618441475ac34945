package dev.warmup.insight;

import dev.warmup.Catalogs;
import dev.warmup.catalog.Catalog;
import dev.warmup.catalog.InvalidCatalogException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What is pasted must be a catalog, or say what it lacks. */
class CatalogEntryTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '\'',
			textBlock = """
					GET     | /chat-service/rooms        | - GET /chat-service/rooms
					HEAD    | /                          | - HEAD /
					OPTIONS | /rooms/$count              | - OPTIONS /rooms/$count
					GET     | /users:batchGet            | - "GET /users:batchGet"
					GET     | /rooms/7                   | - GET /rooms/{{id}} # fill in {{id}}, or define it as a variable or capture
					GET     | /rooms/7/messages/8        | - GET /rooms/{{id}}/messages/{{id2}} # fill in {{id}}, {{id2}}, or define it as a variable or capture
					GET     | /a/b/c/d/e/f/g/h/i         | - GET /a/b/c/d/e/f/g/h/{{rest}} # fill in {{rest}}, or define it as a variable or capture
					""")
	void safeMethodsHaveAnEntry(String method, String path, String entry) {
		assertThat(CatalogEntry.of(RequestKind.of(method, path))).hasValue(entry);
	}

	@ParameterizedTest
	@ValueSource(strings = { "POST", "PUT", "PATCH", "DELETE", "TRACE", "BREW" })
	void otherMethodsHaveNone(String method) {
		assertThat(CatalogEntry.of(RequestKind.of(method, "/rooms"))).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/", "/chat-service/rooms", "/users:batchGet", "/users:", "/.well-known/a~b",
			"/rooms/$count", "/a-b/_c", "/null/true/-x" })
	void entryWithoutPlaceholdersIsACatalogAsItStands(String path) {
		Catalog catalog = Catalogs.of(pasted("", path));
		assertThat(catalog.scenarios()).singleElement()
			.satisfies((scenario) -> assertThat(scenario.requests()).singleElement()
				.satisfies((request) -> assertThat(request.path().source()).isEqualTo(path)));
	}

	@Test
	void entryWithPlaceholdersIsRefusedUntilTheyAreDefined() {
		assertThatExceptionOfType(InvalidCatalogException.class)
			.isThrownBy(() -> Catalogs.of(pasted("", "/rooms/7/messages/8")))
			.satisfies((ex) -> assertThat(ex.problems()).hasSize(2)
				.anySatisfy((problem) -> assertThat(problem.toString()).contains("{{id}}"))
				.anySatisfy((problem) -> assertThat(problem.toString()).contains("{{id2}}")));
		Catalog completed = Catalogs.of(pasted("variables: { id: 7, id2: 8 }\n", "/rooms/7/messages/8"));
		assertThat(completed.scenarios().get(0).requests()).singleElement()
			.satisfies((request) -> assertThat(request.path().source()).isEqualTo("/rooms/{{id}}/messages/{{id2}}"));
	}

	private static String pasted(String variables, String path) {
		return "version: 1\n" + variables + "scenarios:\n  - name: pasted\n    requests:\n      "
				+ CatalogEntry.of(RequestKind.of("GET", path)).orElseThrow() + "\n";
	}

}
