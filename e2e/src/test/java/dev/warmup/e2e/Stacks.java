package dev.warmup.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.jayway.jsonpath.PathNotFoundException;
import dev.warmup.bench.stack.Answer;
import dev.warmup.bench.stack.App;
import dev.warmup.bench.stack.Stack;
import dev.warmup.bench.variant.Site;

import org.springframework.util.FileSystemUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The stacks of these tests, and what their processes report. */
final class Stacks {

	/** The root of the repository. */
	static final Path ROOT = Path.of("").toAbsolutePath().getParent();

	static final String ROOMS = "/chat-service/rooms";

	static final String WARMUP = "/actuator/warmup";

	static final String READY = "/.warmup/ready";

	/** More than anything takes on a slow machine. */
	static final Duration SOON = Duration.ofMinutes(3);

	private static final Pattern REGISTERED = Pattern
		.compile("<instanceId>([^<]+)</instanceId>.*?<status>(\\w+)</status>", Pattern.DOTALL);

	private static final List<String> SERVICES = List.of(Stack.REGISTRY, Stack.GATEWAY, Stack.SERVICE);

	private static Path jars;

	private static boolean archived;

	private Stacks() {
	}

	/**
	 * Prepares a stack of cheap JVMs that is warm after a number of repetitions, however
	 * much latency varies.
	 * @param name names the directory of its logs under {@code target/e2e}
	 * @param repetitions how often each request is sent at least
	 * @param budget for the run at the start
	 * @param settings arguments of each chat-service, such as
	 * {@code --warmup.idle.after=10s}
	 * @return the builder
	 */
	static Stack.Builder counted(String name, int repetitions, String budget, String... settings) {
		Stack.Builder builder = Stack.in(directory(name), jars());
		for (String service : SERVICES) {
			builder.jvm(service, "-XX:TieredStopAtLevel=1", "-XX:SharedArchiveFile=" + archive(service));
		}
		return builder
			.args(Stack.SERVICE, "--warmup.startup.min-repetitions=" + repetitions, "--warmup.startup.budget=" + budget,
					"--warmup.steady.tolerance=1000", "--warmup.steady.window=5", "--warmup.ramp.window=0")
			.args(Stack.SERVICE, settings);
	}

	/**
	 * Prepares a stack with the default settings.
	 * @param name names the directory of its logs under {@code target/e2e}
	 * @return the builder
	 */
	static Stack.Builder defaults(String name) {
		return Stack.in(directory(name), jars());
	}

	/**
	 * The jars that the build packaged, extracted since they start faster then.
	 * @return the directory, with {@code SERVICE/SERVICE.jar}
	 */
	static synchronized Path jars() {
		if (jars == null) {
			jars = directory("jars");
			site().extractJars();
		}
		return jars;
	}

	/**
	 * What an application loads at its start: it starts in about 60 % of the time with
	 * it.
	 */
	private static synchronized Path archive(String service) {
		if (!archived) {
			SERVICES.parallelStream().forEach(Stacks::train);
			archived = true;
		}
		return jars().resolve(service).resolve(service + ".jsa");
	}

	private static void train(String service) {
		Path directory = jars.resolve(service);
		site().run(SOON,
				List.of(java(), "-XX:TieredStopAtLevel=1",
						"-XX:ArchiveClassesAtExit=" + directory.resolve(service + ".jsa"),
						"-Dspring.context.exit=onRefresh", "-jar", directory.resolve(service + ".jar").toString(),
						"--server.port=0", "--management.server.port=0"));
	}

	private static Site site() {
		return new Site(ROOT, jars.getParent(), Path.of(System.getProperty("java.home")), true);
	}

	static String java() {
		return Path.of(System.getProperty("java.home"), "bin", "java").toString();
	}

	/**
	 * An empty directory to write to.
	 * @param name its name under {@code target/e2e}
	 * @return the directory
	 */
	static Path directory(String name) {
		try {
			Path directory = Path.of("target", "e2e", name).toAbsolutePath();
			FileSystemUtils.deleteRecursively(directory);
			return Files.createDirectories(directory);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Waits until a service reports a phase.
	 * @param service the instance
	 * @param phases the accepted phases
	 */
	static void awaitPhase(App service, String... phases) {
		service.awaitUp(SOON);
		await().atMost(SOON)
			.ignoreExceptionsMatching(PathNotFoundException.class::isInstance) // not up
			.untilAsserted(() -> assertThat(service.get(WARMUP).<String>read("$.phase")).as(service.name())
				.isIn(List.of(phases)));
	}

	/**
	 * The verdicts of the runs that a service keeps.
	 * @param service the instance
	 * @param trigger such as {@code STARTUP}
	 * @return the verdicts
	 */
	static List<String> verdicts(App service, String trigger) {
		return service.get(WARMUP).read("$.runs[?(@.trigger == '%s')].verdict".formatted(trigger));
	}

	/** Waits until a service has ended its first run. */
	static void awaitVerdict(App service) {
		await().atMost(SOON)
			.ignoreExceptions()
			.untilAsserted(() -> assertThat(verdicts(service, "STARTUP")).isNotEmpty());
	}

	/** Starts a run on demand, once the one under way, if any, was reported (409). */
	static void startRun(App service) {
		await().atMost(SOON).until(() -> service.post(WARMUP).status() == 202);
	}

	/**
	 * Waits for the first answer of a run, as the gateway sees it. Its actuator may
	 * answer later than the gateway itself.
	 */
	static void awaitRunBegin(Stack stack) {
		stack.gateway().awaitUp(SOON);
		await().atMost(SOON)
			.ignoreExceptionsMatching(PathNotFoundException.class::isInstance)
			.untilAsserted(
					() -> assertThat(stack.get(WARMUP).<List<String>>read("$.fleet[*].phase")).contains("WARMING"));
	}

	/** Waits until a gateway reports that it warms an instance. */
	static void awaitWarming(App gateway, App service) {
		String phase = "$.fleet[?(@.instanceId == '127.0.0.1:%d')].phase".formatted(service.port());
		await().atMost(SOON).until(() -> gateway.get(WARMUP).<List<String>>read(phase).contains("WARMING"));
	}

	/** Starts a stack, and waits until its service is warm and users are answered. */
	static Stack warm(Stack.Builder builder) {
		return builder.start((stack) -> {
			awaitPhase(stack.service(), "WARM");
			awaitUsers(stack);
		});
	}

	/** Waits until users are answered through the first gateway. */
	static void awaitUsers(Stack stack) {
		await().atMost(SOON).until(() -> stack.get(ROOMS).status() == 200);
	}

	/** The statuses of chat-service in the registry. */
	static Map<String, String> registered(Stack stack) {
		return registered(stack, "CHAT-SERVICE");
	}

	/**
	 * The statuses of a service in the registry.
	 * @param stack whose registry to ask
	 * @param service its name in upper case
	 * @return statuses such as {@code STARTING} by instance; empty while the registry is
	 * down
	 */
	static Map<String, String> registered(Stack stack, String service) {
		Answer answer = stack.registry().get("/eureka/apps/" + service);
		Map<String, String> statuses = new TreeMap<>();
		Matcher instance = REGISTERED.matcher(answer.body());
		while (instance.find()) {
			statuses.put(instance.group(1), instance.group(2));
		}
		return statuses;
	}

	/** Neither errors nor stack traces in the log. */
	static void assertNoAlarm(App app) {
		assertThat(app.logText().lines()).noneMatch((line) -> line.contains(" ERROR "))
			.noneMatch((line) -> line.startsWith("\tat "));
	}

}
