package dev.warmup.catalog;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.core.io.FileSystemResource;
import org.springframework.core.io.Resource;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class RequestTemplateTests {

	@TempDir
	private Path folder;

	@Test
	void valuesAreEncodedAndCannotChangeTheStructureOfTheUri() {
		RequestTemplate request = request("""
				path: /rooms/{{id}}/users
				query: { name: "{{id}}", "a b": [1, true] }
				capture: { next: $.id }
				""");
		Template.Scope scope = Template.Scope.EMPTY.with(Map.of("id", "../a?b=c&d#e/ü%20+"));
		String encoded = "..%2Fa%3Fb%3Dc%26d%23e%2F%C3%BC%2520%2B";
		assertThat(request.uri(scope)).isEqualTo("/rooms/%s/users?name=%s&a%%20b=1&a%%20b=true", encoded, encoded);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					path: '/a:b;v=1/%2F/ü x/100%/[1]?q=a+b&r=c/d' | /a:b;v=1/%2F/%C3%BC%20x/100%25/%5B1%5D?q=a+b&r=c/d
					{ path: '/rooms?page=1', query: { size: 20 } } | /rooms?page=1&size=20
					{ path: /a, query: { v: 1.10, big: 123456789012345678901234567890, long: 9223372036854775808 } } | /a?v=1.10&big=123456789012345678901234567890&long=9223372036854775808
					""")
	void literalTextIsSentAsWrittenUnlessItIsIllegal(String request, String uri) {
		assertThat(request(request).uri(Template.Scope.EMPTY)).isEqualTo(uri);
	}

	@Test
	void builtInPlaceholdersAreFilled() {
		RequestTemplate request = request(
				"path: /{{now}}/{{env.WARMUP_HOME_ROOM}}/{{ randomInt(7, 7) }}/{{randomInt(-999999999,999999999)}}");
		assertThat(request.uri(Template.Scope.EMPTY)).matches("/20[0-9-]{8}T[0-9.%A-F]+Z/a%20b/7/-?[0-9]+");
		assertThat(request("path: /{{uuid}}/{{uuid}}").uri(Template.Scope.EMPTY))
			.matches("(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}){2}")
			.satisfies((uri) -> assertThat(Set.of(uri.split("/"))).hasSize(3));
		RequestTemplate random = request("path: /{{randomInt(1,3)}}");
		assertThat(IntStream.range(0, 1000).mapToObj((i) -> random.uri(Template.Scope.EMPTY)).distinct())
			.containsExactlyInAnyOrder("/1", "/2", "/3");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			now(+0s)                                   | PT0S
			now(+90s)                                  | PT90S
			now( -15m )                                | PT-15M
			now(+36h)                                  | PT36H
			now(+30d)                                  | P30D
			now(-2w)                                   | P-14D
			now(+30d, yyyy-MM-dd'T'HH:mm:ss.SSSSSSX)   | P30D
			now(-1d,EEE, dd MMM yyyy (HH.mm:ss) 'GMT') | P-1D
			""")
	void timeIsOffsetAndWrittenByItsPattern(String placeholder, Duration offset) {
		Template time = request("{ path: /a, headers: { X-Time: \"{{%s}}\" } }".formatted(placeholder)).headers()
			.get("X-Time");
		Instant before = Instant.now().truncatedTo(ChronoUnit.SECONDS);
		String written = time.render(Template.Scope.EMPTY);
		Instant found = placeholder.contains("EEE")
				? DateTimeFormatter.ofPattern("EEE, dd MMM yyyy (HH.mm:ss) 'GMT'", Locale.ENGLISH)
					.withZone(ZoneOffset.UTC)
					.parse(written, Instant::from)
				: Instant.parse(written);
		assertThat(found.minus(offset)).isBetween(before, Instant.now());
	}

	@ParameterizedTest
	@CsvSource({ "inPath inQuery inHeader inBody, true", "inQuery inHeader inBody, false",
			"inPath inHeader inBody, false", "inPath inQuery inBody, false", "inPath inQuery inHeader, false" })
	void requestIsRenderableOnceAllItsNamesAreKnown(String known, boolean renderable) {
		RequestTemplate request = request("""
				method: POST
				path: /{{inPath}}
				query: { a: "{{inQuery}}" }
				headers: { X-A: "{{inHeader}}" }
				json: [ { a: "{{inBody}}" } ]
				""");
		Map<String, Object> values = Stream.of(known.split(" ")).collect(Collectors.toMap((name) -> name, (name) -> 1));
		assertThat(request.renderable(Template.Scope.EMPTY.with(values))).isEqualTo(renderable);
		assertThatIllegalStateException().isThrownBy(() -> request.uri(Template.Scope.EMPTY))
			.withMessageContaining("inPath");
	}

	@Test
	void onePlaceholderAloneKeepsItsTypeInJson() {
		RequestTemplate request = request("""
				method: POST
				path: /rooms
				json: { number: "{{id}}", text: "no {{id}}", dice: "{{randomInt(6,6)}}", list: ["{{tags}}"], off: null }
				""");
		Body body = request.body().orElseThrow();
		Template.Scope scope = Template.Scope.EMPTY.with(Map.of("id", 42L, "tags", List.of("a", 1)));
		JsonNode sent = JsonMapper.shared().readTree(body.content().apply(scope));
		assertThat(sent).hasToString("{\"number\":42,\"text\":\"no 42\",\"dice\":6,\"list\":[[\"a\",1]],\"off\":null}");
		assertThat(body.contentType()).contains(MediaType.APPLICATION_JSON);
	}

	@Test
	void textHasItsPlaceholdersFilledInTheCatalogAndInAFile() throws Exception {
		Files.writeString(this.folder.resolve("room.json"), "{ \"id\": {{id}} }ü");
		Body file = request("{ method: POST, path: /rooms, bodyFile: room.json }").body().orElseThrow();
		Template.Scope scope = Template.Scope.EMPTY.with(Map.of("id", 7));
		assertThat(file.content().apply(scope)).asString(StandardCharsets.UTF_8).isEqualTo("{ \"id\": 7 }ü");
		assertThat(file.contentType()).contains(MediaType.APPLICATION_JSON);
		assertThat(file.names()).containsExactly("id");
		Body body = request("{ method: POST, path: /rooms, body: '{\"a\":{\"id\":{{id}}}}ü' }").body().orElseThrow();
		assertThat(body.content().apply(scope)).asString(StandardCharsets.UTF_8).isEqualTo("{\"a\":{\"id\":7}}ü");
		assertThat(body.contentType()).isEmpty();
	}

	@Test
	void bodyFileThatIsNotTextIsSentAsItIs() throws Exception {
		byte[] bytes = { (byte) 0x89, 'P', 'N', 'G', '{', '{', 0, (byte) 0xFF };
		Files.write(this.folder.resolve("face.png"), bytes);
		Body body = request("{ method: PUT, path: /face, bodyFile: face.png }").body().orElseThrow();
		assertThat(body.content().apply(Template.Scope.EMPTY)).isEqualTo(bytes);
		assertThat(body.contentType()).contains(MediaType.IMAGE_PNG);
	}

	@Test
	void capturesKeepTheirTypes() {
		RequestTemplate request = request("""
				path: /rooms
				capture: { number: $.id, text: $.name, first: "$.users[*].id", chosen: "$.users[?(@.id > 1)].id" }
				""");
		RequestTemplate.Capture capture = captured(request,
				"{\"id\":9007199254740993,\"name\":\"x\",\"users\":[{\"id\":1},{\"id\":2}]}");
		assertThat(capture).isEqualTo(new RequestTemplate.Capture.Found(
				Map.of("number", 9007199254740993L, "text", "x", "first", 1, "chosen", 2)));
	}

	@Test
	void captureThatFindsNothingIsNamed() {
		RequestTemplate request = request("{ path: /rooms, capture: { id: $.id } }");
		RequestTemplate.Capture missing = new RequestTemplate.Capture.Missing("capture id found nothing at $['id']");
		assertThat(captured(request, "{}")).isEqualTo(missing);
		assertThat(captured(request, "{\"id\":null}")).isEqualTo(missing);
		RequestTemplate.Capture noJson = new RequestTemplate.Capture.Missing("capture id: answer is not JSON");
		assertThat(captured(request, "<html>")).isEqualTo(noJson);
		assertThat(captured(request, "")).isEqualTo(noJson);
		assertThat(captured(request("path: /rooms"), "<html>")).isEqualTo(new RequestTemplate.Capture.Found(Map.of()));
	}

	/** Reactor would signal the error to nobody, and the run would never end. */
	@Test
	void aRegularExpressionThatOverflowsTheStackFindsNothing() {
		RequestTemplate request = request("""
				path: /rooms
				capture: { id: "$.rooms[?(@.topic =~ /(a|b)*c/)].id" }
				""");
		assertThat(captured(request, "{\"rooms\":[{\"id\":1,\"topic\":\"" + "a".repeat(200_000) + "\"}]}"))
			.isInstanceOf(RequestTemplate.Capture.Missing.class);
	}

	private static RequestTemplate.Capture captured(RequestTemplate request, String body) {
		return request.capture(HttpHeaders.EMPTY, body);
	}

	/** A request that may use a few names, since an earlier one captures them. */
	private RequestTemplate request(String yaml) {
		String first = "capture: { id: $.i, tags: $.t, inPath: $.p, inQuery: $.q, inHeader: $.h, inBody: $.b }";
		return read("""
				version: 1
				scenarios:
				  - name: rooms
				    unsafe: true
				    requests:
				      - { path: /first, %s }
				      -
				%s""".formatted(first, yaml.indent(8))).scenarios().get(0).requests().get(1);
	}

	private Catalog read(String yaml) {
		return new CatalogReader(new CatalogFiles(new NamedResource(yaml) {

			@Override
			public Resource createRelative(String path) {
				return new FileSystemResource(RequestTemplateTests.this.folder.resolve(path));
			}

		}), Map.of("WARMUP_HOME_ROOM", "a b")::get).read();
	}

}
