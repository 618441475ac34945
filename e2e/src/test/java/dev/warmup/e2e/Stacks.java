package dev.warmup.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.warmup.bench.stack.Answer;
import dev.warmup.bench.stack.App;
import dev.warmup.bench.stack.Stack;
import dev.warmup.bench.stack.Site;

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

	/** A run that lasts at least ten seconds, for faults in its middle. */
	static final int MANY = 300;

	private static final Pattern REGISTERED = Pattern
		.compile("<instanceId>([^<]+)</instanceId>.*?<status>(\\w+)</status>", Pattern.DOTALL);

	private static Path jars;

	private Stacks() {
	}

	/**
	 * Prepares a stack of cheap JVMs that is warm after a number of repetitions, however
	 * much latency varies.
	 * @param settings arguments of each chat-service
	 */
	static Stack.Builder counted(String name, int repetitions, String... settings) {
		Stack.Builder builder = Stack.in(directory(name), jars());
		for (String service : List.of(Stack.REGISTRY, Stack.GATEWAY, Stack.SERVICE)) {
			builder.jvm(service, "-XX:TieredStopAtLevel=1", "-XX:SharedArchiveFile=" + archive(service));
		}
		String[] options = Stream.of(counted(repetitions)) // which arguments override
			.map((argument) -> argument.replaceFirst("--", "-D"))
			.toArray(String[]::new);
		return builder.jvm(Stack.SERVICE, options).args(Stack.SERVICE, settings);
	}

	/**
	 * Arguments of a service: warm after so many repetitions, however long these take on
	 * a slow machine.
	 */
	static String[] counted(int repetitions) {
		return new String[] { "--warmup.startup.min-repetitions=" + repetitions, "--warmup.startup.budget=60s",
				"--warmup.steady.tolerance=1000", "--warmup.steady.window=5" };
	}

	/** The jars that the build packaged, extracted since they start faster then. */
	static synchronized Path jars() {
		if (jars == null) {
			jars = directory("jars");
			site().extractJars();
		}
		return jars;
	}

	/** What an application loads at its start: with it, that takes 60 % of the time. */
	private static synchronized Path archive(String service) {
		Path jar = jars().resolve(service).resolve(service + ".jar");
		Path archive = jar.resolveSibling(service + ".jsa");
		if (!Files.exists(archive)) {
			site().run(List.of(java(), "-XX:TieredStopAtLevel=1", "-XX:ArchiveClassesAtExit=" + archive,
					"-Dspring.context.exit=onRefresh", "-jar", jar.toString(), "--server.port=0",
					"--management.server.port=0"));
		}
		return archive;
	}

	private static Site site() {
		return new Site(ROOT, jars.getParent(), Path.of(System.getProperty("java.home")));
	}

	static String java() {
		return Path.of(System.getProperty("java.home"), "bin", "java").toString();
	}

	/** An empty directory to write to, under {@code target/e2e}. */
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
	 * Writes a catalog.
	 * @return the argument that makes a service use it
	 */
	static String catalog(String name, String... scenarios) {
		try {
			Path file = directory("catalog-" + name).resolve("warmup-requests.yml");
			Files.writeString(file, "version: 1\nscenarios:\n  - " + String.join("\n  - ", scenarios) + "\n");
			return "--warmup.catalog=" + file.toUri();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** The argument that gives a service nothing to replay. */
	static String nothingToReplay(String name) {
		return catalog(name, "{ name: others, service: another-service, requests: [GET /another-service] }");
	}

	/** The id under which an application is registered. */
	static String id(App app) {
		return "127.0.0.1:" + app.port();
	}

	/** Waits until a service reports a phase. */
	static void awaitPhase(App service, String... phases) {
		service.awaitUp(SOON);
		await().atMost(SOON)
			.ignoreExceptions() // not up
			.untilAsserted(() -> assertThat(service.get(WARMUP).<String>read("$.phase")).as(service.name())
				.isIn(List.of(phases)));
	}

	static String gate(App service) {
		return service.get(WARMUP).read("$.gate");
	}

	/** Waits until the gate opens, and returns the last moment at which it was closed. */
	static Instant lastClosed(App newcomer) {
		Instant[] closed = { newcomer.started() };
		newcomer.await("its open gate", SOON.multipliedBy(2), () -> {
			Instant asked = Instant.now();
			boolean open = newcomer.get(READY).status() == 200;
			closed[0] = open ? closed[0] : asked;
			return open;
		});
		return closed[0];
	}

	/**
	 * The verdicts of the runs that a service keeps, such as those by {@code STARTUP}.
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

	/** Starts a run on demand, once the one under way, or a cool-down, has ended. */
	static void startRun(App service) {
		await().atMost(SOON).until(() -> service.post(WARMUP).status() == 202);
	}

	/** What a gateway reports about an instance, such as its {@code phase}. */
	static List<String> reported(App gateway, App service, String field) {
		return gateway.get(WARMUP)
			.<List<String>>find("$.fleet[?(@.instanceId == '%s')].%s".formatted(id(service), field))
			.orElse(List.of());
	}

	/** Waits until a gateway reports that it warms an instance. */
	static void awaitWarming(App gateway, App service) {
		await().atMost(SOON).until(() -> reported(gateway, service, "phase").contains("WARMING"));
	}

	/** Starts a stack, and waits until its services are warm and users are answered. */
	static Stack warm(Stack.Builder builder) {
		return builder.start((stack) -> {
			stack.services().forEach((service) -> awaitPhase(service, "WARM"));
			stack.gateways().forEach((gateway) -> gateway.awaitReady(SOON));
			awaitUsers(stack);
		});
	}

	/** Waits until users are answered through the first gateway. */
	static void awaitUsers(Stack stack) {
		await().atMost(SOON).until(() -> stack.get(ROOMS).status() == 200);
	}

	static Map<String, String> registered(Stack stack) {
		return registered(stack, "CHAT-SERVICE");
	}

	/** The statuses in the registry by instance; none while it is down. */
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
