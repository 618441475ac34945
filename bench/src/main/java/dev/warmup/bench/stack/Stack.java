package dev.warmup.bench.stack;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;

/**
 * A registry, gateways and instances of chat-service, each a process at a random free
 * port. Closing the stack kills them, and so does the end of this JVM. Not thread-safe.
 */
public final class Stack implements AutoCloseable {

	public static final String REGISTRY = "eureka-server";

	public static final String GATEWAY = "gateway";

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
		List<Integer> ports = Stream.generate(App::freePort).limit(settings.registries).toList();
		this.registryUrls = ports.stream()
			.map((port) -> "http://%s:%d/eureka/".formatted(REGISTRY_HOSTS.get(ports.indexOf(port)), port))
			.collect(Collectors.joining(","));
		this.registries = ports.stream()
			.map((port) -> settings.launch(REGISTRY, REGISTRY + "-" + (ports.indexOf(port) + 1), port,
					"--eureka.client.service-url.defaultZone=" + this.registryUrls,
					"--eureka.instance.hostname=" + REGISTRY_HOSTS.get(ports.indexOf(port))))
			.toList();
	}

	/** Prepares a stack, with logs in a directory, of {@code SERVICE/SERVICE.jar}. */
	public static Builder in(Path directory, Path jars) {
		return new Builder(directory.toAbsolutePath().normalize(), jars.toAbsolutePath().normalize());
	}

	public App registry() {
		return this.registries.get(0);
	}

	public List<App> registries() {
		return this.registries;
	}

	public App gateway() {
		return this.gateways.get(0);
	}

	public List<App> gateways() {
		return List.copyOf(this.gateways);
	}

	public App service() {
		return this.services.get(0);
	}

	public List<App> services() {
		return List.copyOf(this.services);
	}

	/** Starts one more gateway with arguments of its own. Does not wait for it. */
	public App addGateway(String... arguments) {
		return add(GATEWAY, this.gateways, arguments);
	}

	/** Starts one more chat-service with arguments of its own. Does not wait for it. */
	public App addService(String... arguments) {
		return add(SERVICE, this.services, arguments);
	}

	private App add(String service, List<App> all, String... arguments) {
		int port = App.freePort();
		App app = this.settings.launch(service, service + "-" + (all.size() + 1), port, client(port, arguments));
		all.add(app);
		return app;
	}

	/** Starts any other client of the registries. Does not wait for it. */
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

	public Answer get(String path) {
		return gateway().get(path);
	}

	/**
	 * Waits until each application answers, and with the library is ready, and until each
	 * gateway routes to chat-service. Blocks.
	 */
	public void awaitReady(boolean library) {
		for (App app : Stream.concat(this.gateways.stream(), this.services.stream()).toList()) {
			if (library) {
				app.awaitReady(START);
			}
			else {
				app.awaitUp(START);
			}
		}
		// a path the service does not have: 503 comes from a gateway without a route
		this.gateways.forEach((gateway) -> gateway.await("a route", START,
				() -> gateway.get("/chat-service/no-such-path").status() == 404));
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
		 * Sets the command that runs each process started from now on and becomes it,
		 * such as {@code taskset -c 0} or {@code env NAME=VALUE}; none by default.
		 */
		public Builder prefix(String... command) {
			this.prefix = List.of(command);
			return this;
		}

		/** Two at most, as peers. */
		public Builder registries(int count) {
			this.registries = count;
			return this;
		}

		public Builder gateways(int count) {
			this.gateways = count;
			return this;
		}

		public Builder services(int count) {
			this.services = count;
			return this;
		}

		public Builder args(String service, String... added) {
			this.arguments.addAll(service, List.of(added));
			return this;
		}

		/** Adds arguments for the clients of the registry: gateways and chat-service. */
		public Builder clientArgs(String... added) {
			return args(GATEWAY, added).args(SERVICE, added);
		}

		public Builder jvm(String service, String... added) {
			this.jvm.addAll(service, List.of(added));
			return this;
		}

		/** Starts the registry, waits for it, and starts all others. */
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
			List<String> options = new ArrayList<>(this.jvm.getOrDefault(service, List.of()));
			options.addAll(List.of("-jar", this.jars.resolve(service).resolve(service + ".jar").toString()));
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
