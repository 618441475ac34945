package dev.warmup.bench.stack;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;

/**
 * A registry, gateways and instances of chat-service, each a process at a random free
 * port. Closing the stack kills them, and so does the end of this JVM. Not thread-safe.
 */
public final class Stack implements AutoCloseable {

	/** The registry's service name. */
	public static final String REGISTRY = "eureka-server";

	/** The gateway's service name. */
	public static final String GATEWAY = "gateway";

	/** The example service's name. */
	public static final String SERVICE = "chat-service";

	/** A registry takes a URL with its own host for itself, and others for its peers. */
	private static final List<String> REGISTRY_HOSTS = List.of("localhost", "127.0.0.1");

	/** How long an application may take to start on a busy machine. */
	public static final Duration START = Duration.ofMinutes(3);

	private final Builder settings;

	private final List<App> registries;

	private final String registryUrls;

	private final List<App> gateways = new ArrayList<>();

	private final List<App> services = new ArrayList<>();

	private final List<App> others = new ArrayList<>();

	private Stack(Builder settings) {
		this.settings = settings;
		int[] ports = IntStream.range(0, settings.registries).map((i) -> App.freePort()).toArray();
		this.registryUrls = IntStream.range(0, ports.length)
			.mapToObj((i) -> "http://%s:%d/eureka/".formatted(REGISTRY_HOSTS.get(i), ports[i]))
			.collect(Collectors.joining(","));
		this.registries = IntStream.range(0, ports.length)
			.mapToObj((i) -> settings.launch(REGISTRY, (i == 0) ? REGISTRY : REGISTRY + "-" + (i + 1), ports[i],
					"--eureka.client.service-url.defaultZone=" + this.registryUrls,
					"--eureka.instance.hostname=" + REGISTRY_HOSTS.get(i)))
			.toList();
	}

	/**
	 * Prepares a stack with one gateway and one instance of chat-service. Starts nothing.
	 * @param directory the processes' working directory, which receives their logs
	 * @param jars a directory with extracted jars, {@code SERVICE/SERVICE.jar}
	 */
	public static Builder in(Path directory, Path jars) {
		return new Builder(directory.toAbsolutePath().normalize(), jars.toAbsolutePath().normalize());
	}

	/** The first registry. */
	public App registry() {
		return this.registries.get(0);
	}

	/** All registries. */
	public List<App> registries() {
		return this.registries;
	}

	/** The first gateway. */
	public App gateway() {
		return this.gateways.get(0);
	}

	/** All gateways. */
	public List<App> gateways() {
		return List.copyOf(this.gateways);
	}

	/** The first instance of chat-service. */
	public App service() {
		return this.services.get(0);
	}

	/** All instances of chat-service. */
	public List<App> services() {
		return List.copyOf(this.services);
	}

	/**
	 * Starts one more gateway. Does not wait for it.
	 * @param arguments its arguments besides those for all gateways
	 */
	public App addGateway(String... arguments) {
		return add(GATEWAY, this.gateways, arguments);
	}

	/**
	 * Starts one more instance of chat-service. Does not wait for it.
	 * @param arguments its arguments besides those for all instances
	 */
	public App addService(String... arguments) {
		return add(SERVICE, this.services, arguments);
	}

	private App add(String service, List<App> all, String... arguments) {
		int port = App.freePort();
		App app = this.settings.launch(service, service + "-" + (all.size() + 1), port, client(port, arguments));
		all.add(app);
		return app;
	}

	/**
	 * Starts an application of any other kind, as a client of the registries. Does not
	 * wait for it.
	 * @param name the name of its log
	 * @param options the JVM's options up to the main class and what it needs
	 * @param arguments its arguments
	 */
	public App addOther(String name, List<String> options, String... arguments) {
		int port = App.freePort();
		App app = this.settings.launch(name, port, options, List.of(client(port, arguments)));
		this.others.add(app);
		return app;
	}

	private String[] client(int port, String... arguments) {
		return Stream.concat(Stream.of("--eureka.client.service-url.defaultZone=" + this.registryUrls,
				"--eureka.instance.prefer-ip-address=true", "--eureka.instance.ip-address=127.0.0.1",
				"--eureka.instance.instance-id=127.0.0.1:" + port), Stream.of(arguments))
			.toArray(String[]::new);
	}

	/** The settings, which processes that are started later follow, too. */
	public Builder settings() {
		return this.settings;
	}

	/** Sends a GET request through the first gateway, as a user does. */
	public Answer get(String path) {
		return gateway().get(path);
	}

	/**
	 * Waits until every application answers and each gateway routes to chat-service, warm
	 * or not. Blocks.
	 * @throws IllegalStateException with the end of a log, when one does not in three
	 * minutes
	 */
	public void awaitUp() {
		Stream.concat(this.gateways.stream(), this.services.stream()).forEach((app) -> app.awaitUp(START));
		for (App gateway : this.gateways) {
			// a path the service does not have: 503 comes from a gateway without a route
			gateway.await("a route", START, () -> gateway.get("/chat-service/no-such-path").status() == 404);
		}
	}

	/**
	 * Waits until every instance reports ready and each gateway routes to chat-service.
	 * Blocks.
	 * @param limit how long to wait for each
	 * @throws IllegalStateException with the end of a log, when one does not in time
	 */
	public void awaitReady(Duration limit) {
		this.services.forEach((service) -> service.awaitReady(limit));
		awaitUp();
	}

	@Override
	public void close() {
		Stream.of(this.others, this.services, this.gateways, this.registries).flatMap(List::stream).forEach(App::kill);
	}

	/** Settings of a stack; later calls add to earlier ones. */
	public static final class Builder {

		private final Path directory;

		private final Path jars;

		private final MultiValueMap<String, String> arguments = new LinkedMultiValueMap<>();

		private final MultiValueMap<String, String> jvm = new LinkedMultiValueMap<>();

		private Path javaHome = Path.of(Objects.requireNonNull(System.getProperty("java.home")));

		private List<String> prefix = List.of();

		private int registries = 1;

		private int gateways = 1;

		private int services = 1;

		private Builder(Path directory, Path jars) {
			this.directory = directory;
			this.jars = jars;
		}

		/** Sets the JDK's home directory, by default this JVM's. */
		public Builder javaHome(Path home) {
			this.javaHome = home;
			return this;
		}

		/**
		 * Sets the command that runs each process started from now on, such as
		 * {@code taskset -c 0} or {@code env NAME=VALUE}; none by default. It must become
		 * that process. Environment variables that Spring or Java would read as settings
		 * are not inherited.
		 */
		public Builder prefix(String... command) {
			this.prefix = List.of(command);
			return this;
		}

		/** Sets how many are started, which are peers: one by default, two at most. */
		public Builder registries(int count) {
			this.registries = count;
			return this;
		}

		/** Sets how many are started, one by default. */
		public Builder gateways(int count) {
			this.gateways = count;
			return this;
		}

		/** Sets how many are started, one by default. */
		public Builder services(int count) {
			this.services = count;
			return this;
		}

		/** Adds arguments for all applications of a service. */
		public Builder args(String service, String... added) {
			this.arguments.addAll(service, List.of(added));
			return this;
		}

		/** Adds arguments for the clients of the registry: gateways and chat-service. */
		public Builder clientArgs(String... added) {
			return args(GATEWAY, added).args(SERVICE, added);
		}

		/** Adds JVM options for all applications of a service. */
		public Builder jvm(String service, String... added) {
			this.jvm.addAll(service, List.of(added));
			return this;
		}

		/**
		 * Starts the registry, waits until it answers, then starts all other
		 * applications. Does not wait for those; see {@link Stack#awaitUp()} and
		 * {@link Stack#awaitReady(Duration)}.
		 * @throws IllegalStateException when the registry does not start
		 */
		public Stack start() {
			return start((stack) -> {
			});
		}

		/** The same, and calls an action on the stack, which is closed if that fails. */
		public Stack start(Consumer<Stack> then) {
			Stack stack = new Stack(this);
			try {
				stack.registries.forEach((registry) -> registry.awaitUp(START));
				for (int i = 0; i < this.gateways; i++) {
					stack.addGateway();
				}
				for (int i = 0; i < this.services; i++) {
					stack.addService();
				}
				then.accept(stack);
				return stack;
			}
			catch (RuntimeException | Error ex) {
				stack.close();
				throw ex;
			}
		}

		private App launch(String service, String name, int port, String... own) {
			Path jar = this.jars.resolve(service).resolve(service + ".jar");
			List<String> options = new ArrayList<>(this.jvm.getOrDefault(service, List.of()));
			options.addAll(List.of("-jar", jar.toString()));
			List<String> all = new ArrayList<>(this.arguments.getOrDefault(service, List.of()));
			all.addAll(List.of(own));
			return launch(name, port, options, all);
		}

		private App launch(String name, int port, List<String> options, List<String> arguments) {
			List<String> command = new ArrayList<>(this.prefix);
			command.addAll(List.of(this.javaHome.resolve("bin/java").toString(), "-Xmx512m"));
			command.addAll(options);
			return new App(name, port, this.directory, command, arguments);
		}

	}

}
