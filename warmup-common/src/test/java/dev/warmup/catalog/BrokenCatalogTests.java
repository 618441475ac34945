package dev.warmup.catalog;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/** Each kind of broken file is refused with its line, column, entry and fix. */
class BrokenCatalogTests {

	private static final String SCENARIO = "version: 1\nscenarios:\n  - name: rooms\n";

	private static final String REQUESTS = SCENARIO + "    requests:\n";

	@ParameterizedTest(name = "{0}")
	@MethodSource("broken")
	void problemIsNamedWithItsPlaceAndFix(String kind, String text, String expected) {
		assertThat(problems(text)).extracting(InvalidCatalogException.Problem::toString).containsExactly("file:catalog.yml:" + expected);
	}

	static Stream<Arguments> broken() {
		return Stream.of(
				arguments("tab", "version: 1\nscenarios:\n\t- name: rooms\n",
						"3:1 catalog: not valid YAML: found character '\\t(TAB)' that cannot start any token. "
								+ "(Do not use \\t(TAB) for indentation). Fix: use spaces"),
				arguments("unknown key", REQUESTS + "      - path: /rooms\n        expct: { status: 200 }\n",
						"6:9 scenarios[0] 'rooms' > requests[0] > expct: unknown key 'expct'. "
								+ "Fix: did you mean 'expect'?"),
				arguments("wrong type", SCENARIO + "    weight: heavy\n    requests: [GET /rooms]\n",
						"4:13 scenarios[0] 'rooms' > weight: found the string \"heavy\", expected a whole number. "
								+ "Fix: write a number from 1 to 1000"),
				arguments("duplicate name", REQUESTS + "      - GET /a\n  - name: rooms\n    requests: [GET /b]\n",
						"6:11 scenarios[1] 'rooms' > name: duplicate scenario name 'rooms'. "
								+ "Fix: give each scenario its own name"),
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
						"5:9 scenarios[0] 'rooms' > requests[0] 'GET /rooms/{{id}}': the capture 'id' is used before "
								+ "it is set. Fix: move this request behind the one that captures it"),
				arguments("version", "version: 2\n", "1:10 version: 2 is not possible here. Fix: write 1"),
				arguments("key twice", SCENARIO + "    name: again\n    requests: [GET /rooms]\n",
						"4:5 scenarios[0] 'rooms' > name: the key 'name' stands twice in this mapping. "
								+ "Fix: keep one of them"),
				arguments("key twice in a body", REQUESTS + "      - { path: /rooms, json: { a: 1, a: 2 } }\n",
						"5:39 scenarios[0] 'rooms' > requests[0] > json.a: the key 'a' stands twice in this mapping. "
								+ "Fix: keep one of them"),
				arguments("two documents", "version: 1\n---\nversion: 1\n",
						"2:1 catalog: not valid YAML: but found another document. "
								+ "Fix: keep one document, without a second ---"),
				arguments("recursive alias", "version: 1\nvariables: &all\n  again: *all\n",
						"2:12 catalog: an alias within this value refers to the value itself. "
								+ "Fix: write the inner value out instead of using an alias"),
				arguments("type tag", "version: 1\nvariables: { a: !!binary aGk= }\n",
						"2:17 catalog: the type tag tag:yaml.org,2002:binary is not supported. Fix: remove the tag"),
				arguments("class tag", "version: 1\nvariables: !!java.net.URL [http://localhost]\n",
						"2:12 catalog: not valid YAML: Global tag is not allowed: tag:yaml.org,2002:java.net.URL. "
								+ "Fix: remove the tag"),
				arguments("control character", "version: 1\nvariables: { a: \u0001 }\n",
						"2:17 catalog: not valid YAML: found the unprintable character U+0001. "
								+ "Fix: correct the syntax here or on the line before"));
	}

	@Test
	void everyProblemOfTheFileIsListedInFileOrder() {
		List<InvalidCatalogException.Problem> problems = problems("""
				version: 1
				scenarios:
				  - name: first
				    wait: 2s
				    requests:
				      - GET /rooms/{{nobody}}
				  - name: second
				    requests:
				      - { name: find, path: /rooms, expect: { status: fine } }
				      - POST /rooms
				""");
		assertThat(problems).extracting(InvalidCatalogException.Problem::entry)
			.containsExactly("scenarios[0] 'first' > wait",
					"scenarios[0] 'first' > requests[0] 'GET /rooms/{{nobody}}'",
					"scenarios[1] 'second' > requests[0] 'find' > expect.status",
					"scenarios[1] 'second' > requests[1] 'POST /rooms'");
		assertThat(problems).extracting(InvalidCatalogException.Problem::line).containsExactly(4, 6, 9, 10);
		assertThat(problems).extracting(InvalidCatalogException.Problem::column).containsExactly(5, 9, 55, 9);
	}

	@Test
	void problemOfADefaultHeaderIsListedOnce() {
		assertThat(problems("""
				version: 1
				defaults: { headers: { X-Room: "{{room}}" } }
				scenarios:
				  - { name: one, requests: [GET /a, GET /b] }
				""")).singleElement()
			.satisfies((problem) -> assertThat(problem.entry()).isEqualTo("defaults.headers.X-Room"));
	}

	@Test
	void fileOverOneMebibyteIsRefusedBeforeItIsParsed() {
		String text = "\tnot even yaml #" + "x".repeat(CatalogFiles.LARGEST);
		assertThat(problems(text)).extracting(InvalidCatalogException.Problem::problem).containsExactly("the file is over 1 MiB");
	}

	@Test
	void fileOfExactlyOneMebibyteIsRead() {
		String text = "version: 1\n#";
		byte[] bytes = (text + "x".repeat(CatalogFiles.LARGEST - text.length())).getBytes(StandardCharsets.UTF_8);
		assertThat(new CatalogReader().read(new NamedResource(bytes)).scenarios()).isEmpty();
	}

	@Test
	void fileThatIsNotUtf8IsRefused() {
		InvalidCatalogException exception = catchThrowableOfType(InvalidCatalogException.class,
				() -> new CatalogReader().read(new NamedResource(new byte[] { 'a', ':', ' ', (byte) 0xE4 })));
		assertThat(exception.problems()).extracting(InvalidCatalogException.Problem::problem).containsExactly("the file is not UTF-8");
	}

	@Test
	void manyAliasesAreRefused() {
		assertThat(problems(aliasBomb(9, 9))).singleElement().satisfies((problem) -> {
			assertThat(problem.problem()).contains("aliases").contains("50");
			assertThat(problem.line()).isGreaterThan(5);
		});
	}

	@Test
	void fewAliasesThatMultiplyAreRefused() {
		assertThat(problems(aliasBomb(5, 10))).extracting(InvalidCatalogException.Problem::problem)
			.containsExactly("more than 50000 values once aliases are followed");
	}

	@Test
	void deepNestingIsRefused() {
		assertThat(problems("version: 1\nvariables: " + "[".repeat(5000))).singleElement()
			.satisfies((problem) -> assertThat(problem.fix()).isEqualTo("nest less"));
	}

	@Test
	void deepNestingThroughAliasesIsRefused() {
		String deep = "version: 1\nvariables:\n  a: &a %s1%s\n  b: %s*a%s\n".formatted("[".repeat(40), "]".repeat(40),
				"[".repeat(40), "]".repeat(40));
		assertThat(problems(deep)).extracting(InvalidCatalogException.Problem::problem).containsExactly("nested deeper than 60 levels");
	}

	private static String aliasBomb(int levels, int width) {
		StringBuilder text = new StringBuilder("version: 1\nvariables:\n  a0: &a0 [lol]\n");
		for (int i = 1; i <= levels; i++) {
			String aliases = String.join(", ", Collections.nCopies(width, "*a" + (i - 1)));
			text.append("  a%d: &a%d [%s]\n".formatted(i, i, aliases));
		}
		return text.toString();
	}

	private static List<InvalidCatalogException.Problem> problems(String text) {
		NamedResource resource = new NamedResource(text.getBytes(StandardCharsets.UTF_8));
		CatalogReader reader = new CatalogReader((name) -> null, Clock.systemUTC());
		return catchThrowableOfType(InvalidCatalogException.class, () -> reader.read(resource)).problems();
	}

}
