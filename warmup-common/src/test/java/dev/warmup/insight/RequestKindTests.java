package dev.warmup.insight;

import java.util.Optional;
import java.util.Random;
import java.util.regex.Pattern;

import dev.warmup.Catalogs;
import dev.warmup.catalog.Catalog;
import dev.warmup.catalog.InvalidCatalogException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RequestKindTests {

	private static final Pattern TEMPLATE = Pattern.compile("/|(/(\\{id}|[A-Za-z0-9._~$:-]{1,40})){1,8}(/\\{rest})?");

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
			/                                                  | /
			""                                                 | /
			/chat-service/rooms                                | /chat-service/rooms
			//chat-service///rooms                             | /chat-service/rooms
			chat-service/rooms                                 | /chat-service/rooms
			/chat-service/rooms/42/messages                    | /chat-service/rooms/{id}/messages
			/rooms/-7                                          | /rooms/{id}
			/days/2026-11-21                                   | /days/{id}
			/users/0f8fad5b-d9cb-469f-a165-70867728950e        | /users/{id}
			/users/0F8FAD5BD9CB469FA16570867728950E            | /users/{id}
			/commits/deadbeefdeadbeef                          | /commits/{id}
			/commits/cafebabe                                  | /commits/cafebabe
			/orders/ord-123                                    | /orders/{id}
			/orders/ordering12                                 | /orders/{id}
			/commits/abcdef1a                                  | /commits/{id}
			/commits/abcd-ef1                                  | /commits/{id}
			/codes/GHIJKLM1                                    | /codes/GHIJKLM1
			/users/anna@example.org                            | /users/{id}
			/users/anna%40example.org                          | /users/{id}
			/rooms/a%0Ab                                       | /rooms/{id}
			/rooms/{id}                                        | /rooms/{id}
			/rooms;jsessionid=4D5E/list;a=b                    | /rooms/list
			/rooms/;jsessionid=4D5E                            | /rooms
			;a=b/rooms//;c/x;d;e=f/y                           | /rooms/x/y
			/v1/api-v2/oauth2/token                            | /v1/api-v2/oauth2/token
			/users:batchGet                                    | /users:batchGet
			/.well-known/openid-configuration                  | /.well-known/openid-configuration
			/rooms/$count                                      | /rooms/$count
			/rooms/..                                          | /rooms/{id}
			/a/b/c/d/e/f/g/h                                   | /a/b/c/d/e/f/g/h
			/a/b/c/d/e/f/g/h/                                  | /a/b/c/d/e/f/g/h
			/a/b/c/d/e/f/g/h/i                                 | /a/b/c/d/e/f/g/h/{rest}
			/users/alice                                       | /users/alice
			""")
	void identifiersAreNormalized(String path, String template) {
		assertThat(RequestKind.normalize(path)).isEqualTo(template);
	}

	@ParameterizedTest
	@ValueSource(strings = { "a\nb", "a\rb", "a\u001b[2Jb", "a\u0085b", "a\u2028b", "a b", "a\"b", "\u00e9", "\u0000" })
	void nothingThatBreaksALineIsKept(String segment) {
		assertThat(RequestKind.normalize("/rooms/" + segment + "/x")).isEqualTo("/rooms/{id}/x");
	}

	@Test
	void whateverIsSentTemplatesAreShortAndPrintable() {
		Random random = new Random(7);
		for (int i = 0; i < 10_000; i++) {
			StringBuilder path = new StringBuilder();
			int length = random.nextInt(300);
			for (int j = 0; j < length; j++) {
				path.append((random.nextInt(6) == 0) ? '/' : (char) random.nextInt((i % 2 == 0) ? 128 : 0x3000));
			}
			String template = RequestKind.normalize(path.toString());
			assertThat(template).matches(TEMPLATE);
			assertThat(RequestKind.normalize(template)).as("again").startsWith(template.replace("/{rest}", ""));
		}
		assertThat(RequestKind.normalize("/" + "x".repeat(40))).isEqualTo("/" + "x".repeat(40));
		assertThat(RequestKind.normalize("/" + "x".repeat(41))).isEqualTo("/{id}");
		assertThat(RequestKind.normalize("/x".repeat(100_000))).isEqualTo("/x".repeat(8) + "/{rest}");
		assertThat(RequestKind.normalize("/".repeat(50_000) + "x;" + "/;a".repeat(50_000))).isEqualTo("/x");
	}

	@Test
	void methodsThatHttpDoesNotDefineAreOne() {
		assertThat(RequestKind.of("BREW", "/pot")).isEqualTo(RequestKind.of("x".repeat(5000), "/pot"));
		assertThat(RequestKind.of("BREW", "/pot")).hasToString("OTHER /pot");
		assertThat(RequestKind.of("get", "/pot")).hasToString("OTHER /pot");
		assertThat(RequestKind.of("GET", "/pot")).hasToString("GET /pot");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '\'',
			textBlock = """
					GET     | /chat-service/rooms        | - GET /chat-service/rooms
					HEAD    | /                          | - HEAD /
					OPTIONS | /rooms/$count              | - OPTIONS /rooms/$count
					GET     | /users:batchGet            | - "GET /users:batchGet"
					GET     | /rooms/7                   | - GET /rooms/{{id}} # fill in {{id}}, or define it as a variable or capture
					GET     | /rooms/7/messages/8        | - GET /rooms/{{id}}/messages/{{id2}} # fill in {{id}}, {{id2}}, or define it as a variable or capture
					POST    | /rooms                     |
					TRACE   | /rooms                     |
					BREW    | /rooms                     |
					GET     | /a/b/c/d/e/f/g/h/i         | - GET /a/b/c/d/e/f/g/h/{{rest}} # fill in {{rest}}, or define it as a variable or capture
					""")
	void methodsThatChangeNothingHaveAnEntry(String method, String path, @Nullable String entry) {
		assertThat(RequestKind.of(method, path).catalogEntry()).isEqualTo(Optional.ofNullable(entry));
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
				+ RequestKind.of("GET", path).catalogEntry().orElseThrow() + "\n";
	}

}
