package dev.warmup.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import dev.warmup.bench.stack.Outcome;
import dev.warmup.bench.stack.Stack;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A broken catalog stops the service, which names file and line, and says how to mend it.
 */
class BrokenCatalogIT {

	private static final String UNKNOWN_KEY = """
			version: 1
			scenarios:
			  - name: rooms
			    requets:
			      - GET /chat-service/rooms
			""";

	static List<Arguments> brokenCatalogs() {
		return List.of(Arguments.of("unknown-key", UNKNOWN_KEY, 4), Arguments.of("wrong-type", """
				version: 1
				scenarios:
				  - name: rooms
				    weight: heavy
				    requests:
				      - GET /chat-service/rooms
				""", 4), Arguments.of("duplicate-name", """
				version: 1
				scenarios:
				  - name: rooms
				    requests:
				      - GET /chat-service/rooms
				  - name: rooms
				    requests:
				      - GET /chat-service/rooms
				""", 6), Arguments.of("unsafe-method", """
				version: 1
				scenarios:
				  - name: rooms
				    requests:
				      - DELETE /chat-service/rooms/1
				""", 5), Arguments.of("capture-before-set", """
				version: 1
				scenarios:
				  - name: rooms
				    requests:
				      - GET /chat-service/rooms/{{roomId}}
				      - method: GET
				        path: /chat-service/rooms
				        capture: { roomId: "$[0].id" }
				""", 5), Arguments.of("too-big", "version: 1\n" + "# filler\n".repeat(150_000), 1),
				Arguments.of("alias-bomb", """
						version: 1
						variables:
						  a: &a [x, x, x, x, x, x, x, x, x]
						  b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]
						  c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b]
						  d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c]
						  e: &e [*d, *d, *d, *d, *d, *d, *d, *d, *d]
						  f: &f [*e, *e, *e, *e, *e, *e, *e, *e, *e]
						scenarios:
						  - name: rooms
						    requests:
						      - GET /chat-service/rooms
						""", 3));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("brokenCatalogs")
	void theServiceStopsAndTellsWhereAndHow(String kind, String yaml, int line)
			throws IOException, InterruptedException {
		Path catalog = write(kind, yaml);
		Path output = Stacks.directory().resolve(kind + ".out");
		Process service = new ProcessBuilder(System.getProperty("java.home") + "/bin/java", "-Xmx256m",
				"-XX:TieredStopAtLevel=1", "-jar",
				Stacks.ROOT.resolve("chat-service/target/chat-service.jar").toString(), "--server.port=0",
				"--eureka.client.enabled=false", "--warmup.catalog=" + catalog.toUri())
			.redirectErrorStream(true)
			.redirectOutput(output.toFile())
			.start();
		try {
			assertThat(service.waitFor(Duration.ofMinutes(2).toSeconds(), TimeUnit.SECONDS))
				.as("ends by itself:\n%s", Files.readString(output))
				.isTrue();
		}
		finally {
			service.destroyForcibly();
		}
		assertThat(service.exitValue()).isNotZero();
		assertThat(failureAnalysis(Files.readString(output))).contains(catalog.getFileName() + ":" + line + ":",
				"Mend: ", "warmup.enabled=false");
	}

	@Test
	void upShowsTheFaultAndCleansUp() throws IOException {
		Path catalog = write("up-unknown-key", UNKNOWN_KEY);
		try (Stack stack = Stacks.named("broken-catalog", Map.of("WARMUP_CATALOG", catalog.toUri().toString()))) {
			Outcome up = stack.run("up", "--detach", "--without", "gateway");
			assertThat(up.exitCode()).isOne();
			assertThat(up.output()).contains("APPLICATION FAILED TO START", "up-unknown-key.yml:4:",
					"did you mean 'requests'");
			assertThat(stack.status()).isEmpty();
		}
	}

	private static Path write(String kind, String yaml) throws IOException {
		return Files.writeString(Stacks.directory().resolve(kind + ".yml"), yaml);
	}

	private static String failureAnalysis(String output) {
		int start = output.indexOf("APPLICATION FAILED TO START");
		assertThat(start).as(output).isNotNegative();
		return output.substring(start);
	}

}
