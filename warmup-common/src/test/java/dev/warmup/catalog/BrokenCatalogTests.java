package dev.warmup.catalog;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.core.io.FileSystemResource;
import org.springframework.core.io.Resource;
import org.springframework.core.io.UrlResource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/** Each kind of broken file is refused with its line, column, entry and fix. */
class BrokenCatalogTests {

	private static final String SCENARIO = "version: 1\nscenarios:\n  - name: rooms\n";

	private static final String REQUESTS = SCENARIO + "    requests:\n";

	private static final String FILE_FIX = "Fix: name a text file of at most 64 KiB by its absolute path, such as "
			+ "{{file:/run/secrets/login}}";

	private static final String TIME_FIX = "Fix: write it such as now(+30d) or now(-2h, yyyy-MM-dd'T'HH:mm): an offset "
			+ "in s, m, h, d or w, and a pattern of Java's DateTimeFormatter, if any";

	private static final String NOT_READ = "the file cannot be read: %s. Fix: make it a readable file in UTF-8 of at most "
			+ "1 MiB, or set warmup.catalog to another";

	@ParameterizedTest(name = "{0}")
	@MethodSource("broken")
	void problemIsNamedWithItsPlaceAndFix(String kind, String text, String expected) {
		assertThat(problems(new NamedResource(text))).singleElement().hasToString("file:catalog.yml:" + expected);
	}

	static Stream<Arguments> broken() {
		return Stream.of(
				arguments("tab", "version: 1\nscenarios:\n\t- name: rooms\n",
						"3:1 catalog: not valid YAML: found character '\\t(TAB)' that cannot start any token. "
								+ "(Do not use \\t(TAB) for indentation). Fix: use spaces"),
				arguments("wrong type", SCENARIO + "    weight: heavy\n    requests: [GET /rooms]\n",
						"4:13 scenarios[0] 'rooms' > weight: found the string \"heavy\", expected a whole number from 1 to "
								+ "1000. Fix: write a whole number from 1 to 1000"),
				arguments("duplicate name", REQUESTS + "      - GET /a\n  - name: rooms\n    requests: [GET /b]\n",
						"6:11 scenarios[1] 'rooms' > name: duplicate name 'rooms'. Fix: give each "
								+ "scenario, and each request of a scenario, its own name"),
				arguments("unsafe method", REQUESTS + "      - { name: leave, method: DELETE, path: /a }\n",
						"5:32 scenarios[0] 'rooms' > requests[0] 'leave' > method: DELETE may change data, and the "
								+ "scenario is not marked unsafe. Fix: add 'unsafe: true' to the scenario, or use one "
								+ "of GET, HEAD, OPTIONS"),
				arguments("unknown placeholder",
						"version: 1\nvariables: { room: lobby }\nscenarios:\n"
								+ "  - { name: rooms, requests: [ 'GET /rooms/{{rom}}' ] }\n",
						"4:32 scenarios[0] 'rooms' > requests[0] 'GET /rooms/{{rom}}': unknown placeholder {{rom}}. "
								+ "Fix: did you mean 'room'?"),
				arguments("capture used too early",
						REQUESTS + "      - GET /rooms/{{id}}\n      - { path: /rooms, capture: { id: $.id } }\n",
						"5:9 scenarios[0] 'rooms' > requests[0] 'GET /rooms/{{id}}': 'id' is used before it is "
								+ "set. Fix: use a capture in requests after its own, and no variable in a variable"),
				arguments("version", "version: 2\n",
						"1:10 version: found the number 2, expected the number 1. Fix: write the number 1"),
				arguments("no value", "version: 1\nvariables: { room: }\n",
						"2:19 variables.room: found nothing, expected a string, number or boolean. "
								+ "Fix: write a single value"),
				arguments("list as key", "version: 1\nvariables: { ? [a] : 2 }\n",
						"2:16 variables.?: found a list, expected a key. Fix: write a single word as the key, or put quotes "
								+ "around text with a placeholder, such as \"{{uuid}}\""),
				arguments("placeholder without quotes", REQUESTS + "      - path: {{room}}\n",
						"5:15 scenarios[0] 'rooms' > requests[0] > path: found a mapping, expected a string. "
								+ "Fix: put quotes around text with a placeholder, such as \"{{uuid}}\""),
				arguments("placeholder without quotes in a flow mapping",
						REQUESTS + "      - { path: /rooms/{{id}} }\n",
						"5:24 catalog: not valid YAML: expected ',' or '}', but got {. Fix: correct the syntax here or "
								+ "on the line before, or put quotes around text with a placeholder, such as "
								+ "\"{{uuid}}\""),
				arguments("indicator without quotes", REQUESTS + "      - { path: /rooms, body: @all }\n",
						"5:31 catalog: not valid YAML: found character '@' that cannot start any token. (Do not use @ for "
								+ "indentation). Fix: correct the syntax here or on the line before, or put quotes around "
								+ "the text"),
				arguments("placeholder in a key", REQUESTS + "      - { path: /rooms, query: { '{{uuid}}': 1 } }\n",
						"5:34 scenarios[0] 'rooms' > requests[0] > query.{{uuid}}: a key has no placeholders. "
								+ "Fix: write the key out"),
				arguments("placeholder in an expectation",
						REQUESTS + "      - { path: /rooms, expect: { json: { $.id: '{{uuid}}' } } }\n",
						"5:49 scenarios[0] 'rooms' > requests[0] > expect.json.$.id: '{{uuid}}' would be compared as it "
								+ "is: expect has no placeholders. Fix: expect a value that is always the same, or only "
								+ "the status"),
				arguments("secret of the library", "version: 1\nvariables: { a: '{{env.WARMUP_SECRET}}' }\n",
						"2:17 variables.a: a catalog may not read the environment variable WARMUP_SECRET. Fix: use one whose "
								+ "name begins with WARMUP_, other than WARMUP_SECRET"),
				arguments("secret of the library on Windows", "version: 1\nvariables: { a: '{{env.WARMUP_secret}}' }\n",
						"2:17 variables.a: a catalog may not read the environment variable WARMUP_secret. Fix: use one whose "
								+ "name begins with WARMUP_, other than WARMUP_SECRET"),
				arguments("relative file", "version: 1\nvariables: { a: '{{file:login}}' }\n",
						"2:17 variables.a: the file 'login' cannot be read: it is no readable file outside of /proc. "
								+ FILE_FIX),
				arguments("missing file", REQUESTS + "      - GET /rooms/{{file:/missing/login}}\n",
						"5:9 scenarios[0] 'rooms' > requests[0] 'GET /rooms/{{file:/missing/login}}': the file "
								+ "'/missing/login' cannot be read: it is no readable file outside of /proc. "
								+ FILE_FIX),
				arguments("file whose path is none", "version: 1\nvariables: { a: \"{{file:/a\\0}}\" }\n",
						"2:17 variables.a: the file '/a\0' cannot be read: Nul character not allowed: /a\0. "
								+ FILE_FIX),
				arguments("number with a leading zero", "version: 1\nvariables: { a: 00042 }\n",
						"2:17 variables.a: this number would be sent as 42. Fix: put quotes around it to send it as written"),
				arguments("number with an exponent",
						REQUESTS + "      - { path: /rooms, headers: { X-Commit: 12e45 } }\n",
						"5:46 scenarios[0] 'rooms' > requests[0] > headers.X-Commit: this number would be sent as 1.2E+46. "
								+ "Fix: put quotes around it to send it as written"),
				arguments("secret of the application", "version: 1\nvariables: { a: '{{env.DATABASE_PASSWORD}}' }\n",
						"2:17 variables.a: a catalog may not read the environment variable DATABASE_PASSWORD. Fix: use one "
								+ "whose name begins with WARMUP_, other than WARMUP_SECRET"),
				arguments("name in a block", REQUESTS + "      - GET /rooms\n    service: |\n      chat-service\n",
						"6:14 scenarios[0] 'rooms' > service: found the string \"chat-service\\n\", expected a string on one "
								+ "line without placeholders. Fix: write it out on one line, in quotes"),
				arguments("path in a block", REQUESTS + "      - path: |\n          /rooms\n",
						"5:15 scenarios[0] 'rooms' > requests[0] > path: the path '/rooms\n' has a line break or a fragment. "
								+ "Fix: write it on one line without | or >, and %23 for #"),
				arguments("path alone", REQUESTS + "      - /rooms\n",
						"5:9 scenarios[0] 'rooms' > requests[0] '/rooms': '/rooms' is not METHOD /path. "
								+ "Fix: write both, such as GET /chat-service/rooms"),
				arguments("key twice", SCENARIO + "    name: again\n    requests: [GET /rooms]\n",
						"4:5 scenarios[0] 'rooms' > name: the key 'name' occurs twice in this mapping. "
								+ "Fix: keep one of them"),
				arguments("key twice in a body", REQUESTS + "      - { path: /rooms, json: { a: 1, a: 2 } }\n",
						"5:39 scenarios[0] 'rooms' > requests[0] > json.a: the key 'a' occurs twice in this mapping. "
								+ "Fix: keep one of them"),
				arguments("two documents", "version: 1\n---\nversion: 1\n",
						"2:1 catalog: another document begins. Fix: keep one document, without a second ---"),
				arguments("anchor", "version: 1\nvariables: { room: &room lobby }\n",
						"2:20 catalog: the anchor &room is not supported. Fix: use variables and defaults, or put quotes around "
								+ "text that begins with * or &"),
				arguments("asterisk without quotes", REQUESTS + "      - { path: /rooms, headers: { Accept: */* } }\n",
						"5:45 catalog: not valid YAML: unexpected character found /(47). Fix: correct the syntax here or on "
								+ "the line before, or put quotes around the text"),
				arguments("query in flow style", SCENARIO + "    requests: [ GET /rooms?page=1 ]\n",
						"4:27 catalog: not valid YAML: expected ',' or ']', but got ?. "
								+ "Fix: put quotes around text with a ?, such as \"GET /rooms?page=1\""),
				arguments("query of a path in flow style", REQUESTS + "      - { path: /rooms?page=1 }\n",
						"5:23 catalog: not valid YAML: expected ',' or '}', but got ?. "
								+ "Fix: put quotes around text with a ?, such as \"GET /rooms?page=1\""),
				arguments("type tag", "version: 1\nvariables: { a: !!binary aGk= }\n",
						"2:17 catalog: the type tag tag:yaml.org,2002:binary is not supported. Fix: remove the tag, or "
								+ "put quotes around text that begins with !"),
				arguments("carriage return in a header",
						REQUESTS + "      - { name: a, path: /a, headers: { X-A: \"a\\rb\" } }\n",
						"5:46 scenarios[0] 'rooms' > requests[0] 'a' > headers.X-A: the value of a header contains a "
								+ "line break, a control character, or one beyond U+00FF. "
								+ "Fix: write it on one line, and encode what is not Latin"),
				arguments("header that would be sent as question marks",
						REQUESTS + "      - { path: /a, headers: { X-A: \u65e5 } }\n",
						"5:37 scenarios[0] 'rooms' > requests[0] > headers.X-A: the value of a header contains a "
								+ "line break, a control character, or one beyond U+00FF. "
								+ "Fix: write it on one line, and encode what is not Latin"),
				arguments("placeholder in a capture",
						REQUESTS + "      - { path: /a, capture: { x: \"$.{{uuid}}\" } }\n",
						"5:35 scenarios[0] 'rooms' > requests[0] > capture.x: '$.{{uuid}}' is not a JSONPath "
								+ "without placeholders. Fix: write a JSONPath that begins with $, such as $.id"),
				arguments("unknown key of a capture",
						REQUESTS + "      - { path: /a, capture: { x: { header: Location, regexp: '(.)' } } }\n",
						"5:55 scenarios[0] 'rooms' > requests[0] > capture.x.regexp: unknown key 'regexp'. "
								+ "Fix: did you mean 'regex'?"),
				arguments("capture of a header and of JSON",
						REQUESTS + "      - { path: /a, capture: { x: { header: Location, json: $.id } } }\n",
						"5:35 scenarios[0] 'rooms' > requests[0] > capture.x: a capture has either 'header' or 'json'. "
								+ "Fix: write one of them, such as header: Location"),
				arguments("header of a capture", REQUESTS + "      - { path: /a, capture: { x: { header: 'a b' } } }\n",
						"5:45 scenarios[0] 'rooms' > requests[0] > capture.x.header: found the string \"a b\", expected the "
								+ "name of a header. Fix: use letters, digits and -"),
				arguments("regular expression that is none",
						REQUESTS + "      - { path: /a, capture: { x: { header: A, regex: '/b/(' } } }\n",
						"5:55 scenarios[0] 'rooms' > requests[0] > capture.x.regex: found the string \"/b/(\", expected a "
								+ "regular expression with a group. Fix: put what to capture in parentheses, such as "
								+ "'/orders/([^/]+)'"),
				arguments("regular expression without a group",
						REQUESTS + "      - { path: /a, capture: { x: { header: A, regex: '/b/.+' } } }\n",
						"5:55 scenarios[0] 'rooms' > requests[0] > capture.x.regex: found the string \"/b/.+\", expected a "
								+ "regular expression with a group. Fix: put what to capture in parentheses, such as "
								+ "'/orders/([^/]+)'"),
				arguments("offset without a unit", "version: 1\nvariables: { a: '{{now(+30)}}' }\n",
						"2:17 variables.a: {{now(+30)}} is not a time: it has no offset of a sign, a number and a unit. "
								+ TIME_FIX),
				arguments("pattern of no date", "version: 1\nvariables: { a: '{{now(+30d, foo)}}' }\n",
						"2:17 variables.a: {{now(+30d, foo)}} is not a time: Unknown pattern letter: f. " + TIME_FIX),
				arguments("placeholder in a service",
						SCENARIO + "    service: \"{{env.WARMUP_X}}\"\n    requests: [GET /a]\n",
						"4:14 scenarios[0] 'rooms' > service: found the string \"{{env.WARMUP_X}}\", expected a string on one "
								+ "line without placeholders. Fix: write it out on one line, in quotes"),
				arguments("control character", "version: 1\nvariables: { a: \u0001 }\n",
						"2:17 catalog: not valid YAML: found the unprintable character U+0001. "
								+ "Fix: remove it, or write it as an escape in double quotes"),
				arguments("deep nesting", "version: 1\nvariables: " + "[".repeat(5000),
						"2:61 catalog: nested deeper than 50 levels. Fix: reduce the nesting"));
	}

	@Test
	void everyAnchorAliasAndTypeTagIsListed() {
		assertThat(problems(new NamedResource("""
				version: 1
				variables: &all
				  again: *all
				  more: [ *all, *all, !!int "2" ]
				"""))).extracting(InvalidCatalogException.Problem::line, InvalidCatalogException.Problem::column)
			.containsExactly(tuple(2, 12), tuple(3, 10), tuple(4, 11), tuple(4, 17), tuple(4, 23));
	}

	@Test
	void everyProblemOfTheFileIsListedInFileOrder() {
		assertThat(problems(new NamedResource("""
				version: 1
				defaults: { headers: { X-Room: "{{room}}" } }
				scenarios:
				  - name: first
				    wait: 2s
				    requests:
				      - GET /rooms/{{nobody}}
				  - name: second
				    requests:
				      - { name: find, path: /rooms, expect: { status: fine } }
				      - POST /rooms
				""")))
			.extracting(InvalidCatalogException.Problem::line, InvalidCatalogException.Problem::column,
					InvalidCatalogException.Problem::entry)
			.containsExactly(tuple(2, 32, "defaults.headers.X-Room"), tuple(5, 5, "scenarios[0] 'first' > wait"),
					tuple(7, 9, "scenarios[0] 'first' > requests[0] 'GET /rooms/{{nobody}}'"),
					tuple(10, 55, "scenarios[1] 'second' > requests[0] 'find' > expect.status"),
					tuple(11, 9, "scenarios[1] 'second' > requests[1] 'POST /rooms'"));
	}

	@Test
	void fileThatIsMissingOrTooLargeOrNotUtf8IsRefusedWithItsFix(@TempDir Path folder) throws IOException {
		Path file = folder.resolve("catalog.yml");
		assertThat(problem(file))
			.isEqualTo("the file is missing. Fix: create it, or set warmup.catalog to where it is, such as "
					+ "file:/config/warmup-requests.yml");
		Files.write(file, new byte[] { 'a', ':', ' ', (byte) 0xE4 });
		assertThat(problem(file)).isEqualTo(NOT_READ.formatted("it is not text in UTF-8"));
		String text = "version: 1\n#";
		Files.writeString(file, text + "x".repeat(CatalogFiles.LARGEST - text.length()));
		assertThat(read(new FileSystemResource(file)).scenarios()).isEmpty();
		Files.writeString(file, text + "x".repeat(CatalogFiles.LARGEST + 1 - text.length()));
		assertThat(problem(file)).isEqualTo(NOT_READ.formatted("it is over 1 MiB"));
		Files.write(folder.resolve("body.bin"), new byte[CatalogFiles.LARGEST + 1]);
		Files.writeString(file, SCENARIO + "    unsafe: true\n    requests:\n"
				+ "      - { method: POST, path: /rooms, bodyFile: body.bin }\n");
		assertThat(problem(file)).contains(
				"bodyFile: the file 'body.bin' cannot be read: it is over 1 MiB. Fix: name a file of at most 1 MiB");
		Files.writeString(file, Files.readString(file).replace("body.bin", "100%.bin"));
		assertThat(problems(new UrlResource(file.toUri()))).singleElement()
			.asString()
			.contains("bodyFile: the file '100%.bin' cannot be read");
	}

	@Test
	void placeholderOfAFileThatIsTooLargeOrNotTextOrNoFileOrOfTheProcessIsRefused(@TempDir Path folder)
			throws IOException {
		Path file = folder.resolve("login");
		Files.write(file, new byte[(1 << 16) + 1]);
		assertThat(problemOfPlaceholder(file)).contains("it is over 64 KiB");
		Files.write(file, new byte[] { (byte) 0xE4 });
		assertThat(problemOfPlaceholder(file)).contains("it is not text in UTF-8");
		assertThat(problemOfPlaceholder(folder)).contains("cannot be read");
		Path environment = Path.of("/proc/self/environ");
		if (Files.exists(environment)) {
			Path link = Files.createSymbolicLink(folder.resolve("link"), environment);
			assertThat(problemOfPlaceholder(link)).contains("it is no readable file outside of /proc");
		}
	}

	private static String problemOfPlaceholder(Path file) {
		return problems(new NamedResource("version: 1\nvariables: { a: '{{file:%s}}' }\n".formatted(file))).get(0)
			.toString();
	}

	/** As that of {@code /proc/self/environ}, which contains {@code WARMUP_SECRET}. */
	@ParameterizedTest
	@ValueSource(strings = { "../environ", "%2e%2e/environ" })
	void bodyFileOutsideOfTheFolderOfTheCatalogIsNotRead(String path, @TempDir Path folder) throws IOException {
		Files.writeString(folder.resolve("environ"), "WARMUP_SECRET=secret");
		Path file = Files.writeString(Files.createDirectory(folder.resolve("config")).resolve("catalog.yml"),
				SCENARIO + "    unsafe: true\n    requests:\n"
						+ "      - { method: POST, path: /rooms, bodyFile: '%s' }\n".formatted(path));
		for (Resource catalog : List.of(new UrlResource(file.toUri()), new FileSystemResource(file))) {
			assertThat(problems(catalog)).singleElement()
				.asString()
				.contains("bodyFile: the file '%s' cannot be read".formatted(path));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "../environ", "../proc/self/environ", "http://localhost:1/environ" })
	void bodyFileOutsideOfTheFolderOfACatalogWithoutAFolderIsNotRead(String path) {
		CatalogFiles files = new CatalogFiles(new DefaultResourceLoader().getResource("file:warmup-requests.yml"));
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> files.readBeside(path))
			.withMessage("it is outside of the catalog's folder");
	}

	@Test
	void bodyFileBelowTheFolderOfTheCatalogIsRead(@TempDir Path folder) throws IOException {
		Files.writeString(Files.createDirectory(folder.resolve("bodies")).resolve("a b.txt"), "text");
		Path file = Files.writeString(folder.resolve("catalog.yml"), SCENARIO + "    unsafe: true\n    requests:\n"
				+ "      - { method: POST, path: /rooms, bodyFile: bodies/a b.txt }\n");
		assertThatNoException().isThrownBy(() -> NamedResource.read(new FileSystemResource(file), (name) -> null));
	}

	private static String problem(Path file) {
		List<InvalidCatalogException.Problem> problems = problems(new FileSystemResource(file));
		assertThat(problems).hasSize(1);
		return problems.get(0).toString().replaceFirst("^.*:1:1 catalog: ", "");
	}

	private static List<InvalidCatalogException.Problem> problems(Resource resource) {
		return catchThrowableOfType(InvalidCatalogException.class, () -> read(resource)).problems();
	}

	/** With an environment whose secrets no problem may show. */
	private static Catalog read(Resource resource) {
		return NamedResource.read(resource, (name) -> "s3cret");
	}

}
