package dev.warmup.e2e;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import dev.warmup.bench.stack.Answer;
import dev.warmup.bench.stack.Stack;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

import org.springframework.util.FileSystemUtils;

import static org.awaitility.Awaitility.await;

/**
 * A Prometheus with the shipped configuration, but for where the services are: plain
 * processes have no names to look up. It scrapes each second.
 */
final class Prometheus implements AutoCloseable {

	private static final Duration SOON = Duration.ofMinutes(1);

	private final int port = Stack.freePort();

	private final int targets;

	private final Process process;

	private Prometheus(Path home, int targets) throws IOException {
		this.targets = targets;
		this.process = new ProcessBuilder("prometheus", "--config.file=" + home.resolve("prometheus.yml"),
				"--storage.tsdb.path=" + home.resolve("data"), "--web.listen-address=127.0.0.1:" + this.port)
			.redirectErrorStream(true)
			.redirectOutput(home.resolve("prometheus.log").toFile())
			.start();
	}

	/**
	 * Looks for a program of Prometheus.
	 * @param program such as {@code promtool}
	 * @return whether it is on the path
	 */
	static boolean isInstalled(String program) {
		return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
			.anyMatch((directory) -> Files.isExecutable(Path.of(directory, program)));
	}

	/**
	 * Starts it.
	 * @param targets the services' ports by job
	 * @return a Prometheus that is starting
	 */
	static Prometheus start(Map<String, Integer> targets) {
		try {
			Path home = Stacks.directory().resolve("prometheus");
			FileSystemUtils.deleteRecursively(home);
			Files.createDirectories(home);
			Files.copy(Monitoring.DIRECTORY.resolve("alerts.yml"), home.resolve("alerts.yml"),
					StandardCopyOption.REPLACE_EXISTING);
			Files.writeString(home.resolve("prometheus.yml"), YAMLMapper.shared().writeValueAsString(config(targets)));
			return new Prometheus(home, targets.size());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static JsonNode config(Map<String, Integer> targets) {
		ObjectNode config = (ObjectNode) Monitoring.yaml("prometheus.yml");
		((ObjectNode) config.path("global")).put("scrape_interval", "1s").put("evaluation_interval", "1s");
		for (JsonNode job : config.path("scrape_configs")) {
			ObjectNode own = (ObjectNode) job;
			own.remove("dns_sd_configs");
			ArrayNode addresses = own.putArray("static_configs").addObject().putArray("targets");
			addresses.add("127.0.0.1:" + targets.get(own.path("job_name").asString()));
		}
		return config;
	}

	/** Waits until each service was scraped twice, as rates need. */
	void awaitScrapes() {
		String scraped = "count(count_over_time(up[1m]) >= 2 and up == 1)";
		await().atMost(SOON).until(() -> value(scraped).equals(Integer.toString(this.targets)));
	}

	/**
	 * Evaluates an expression.
	 * @param expression the expression
	 * @return the answer of the API
	 */
	Answer query(String expression) {
		return get("/api/v1/query?query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8));
	}

	/**
	 * Asks the API.
	 * @param path the path
	 * @return the answer
	 */
	Answer get(String path) {
		return Answer.to("GET", "http://127.0.0.1:" + this.port + path);
	}

	private String value(String expression) {
		Answer answer = query(expression);
		if (answer.status() != 200) {
			return "";
		}
		List<String> values = answer.read("$.data.result[*].value[1]");
		return String.join(",", values);
	}

	@Override
	public void close() {
		this.process.destroy();
		try {
			if (!this.process.waitFor(20, TimeUnit.SECONDS)) {
				this.process.destroyForcibly();
			}
		}
		catch (InterruptedException ex) {
			this.process.destroyForcibly();
			Thread.currentThread().interrupt();
		}
	}

}
