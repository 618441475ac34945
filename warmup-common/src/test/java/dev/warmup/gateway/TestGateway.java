package dev.warmup.gateway;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import dev.warmup.RunningApplication;
import dev.warmup.protocol.Instance;
import dev.warmup.registry.Registered;
import dev.warmup.registry.Registry;
import dev.warmup.service.Gate;
import dev.warmup.service.MonotonicClock;
import dev.warmup.service.OwnState;
import dev.warmup.service.UserActivity;
import org.awaitility.Awaitility;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.ReactiveDiscoveryClient;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/**
 * A real gateway with a registry that a test fills. Discovery lists what the registry's
 * copy has as UP; {@code read} also finds what only the registry itself has.
 */
final class TestGateway implements AutoCloseable {

	static final String ID = "localhost:gateway:8000";

	private static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	private final FakeRegistry registry = new FakeRegistry();

	private final List<String> properties = new ArrayList<>(List.of("server.port=0", "spring.application.name=gateway",
			"spring.main.banner-mode=off", "eureka.client.enabled=false", "warmup.ramp.window=0s",
			"spring.autoconfigure.exclude=dev.warmup.service.WarmupServiceAutoConfiguration"));

	private Class<?> source = Application.class;

	private Optional<ConfigurableApplicationContext> context = Optional.empty();

	private boolean hasRegistry = true;

	private int routes;

	TestGateway with(String... more) {
		this.properties.addAll(List.of(more));
		return this;
	}

	/** Neither a registry nor discovery. */
	TestGateway withoutRegistry() {
		this.hasRegistry = false;
		return this;
	}

	TestGateway source(Class<?> application) {
		this.source = application;
		return this;
	}

	/** Routes {@code /id/**} there, without that prefix. */
	TestGateway route(String id, String uri, String... filters) {
		String route = "spring.cloud.gateway.server.webflux.routes[%d].".formatted(this.routes++);
		with(route + "id=" + id, route + "uri=" + uri, route + "predicates[0]=Path=/" + id + "/**",
				route + "filters[0]=StripPrefix=1");
		for (int i = 0; i < filters.length; i++) {
			with(route + "filters[" + (i + 1) + "]=" + filters[i]);
		}
		if (uri.startsWith("lb://")) {
			with("spring.cloud.loadbalancer.eager-load.clients[" + (this.routes - 1) + "]=" + uri.substring(5));
		}
		else {
			with("spring.cloud.loadbalancer.eager-load.clients[" + (this.routes - 1) + "]=none");
		}
		return this;
	}

	TestGateway start() {
		this.context = Optional.of(new SpringApplicationBuilder(this.source).web(WebApplicationType.REACTIVE)
			.properties("spring.cloud.loadbalancer.cache.enabled=false")
			.initializers((created) -> {
				created.getBeanFactory().addBeanPostProcessor(RunningApplication.OWN_THREADS);
				if (this.hasRegistry) {
					created.getBeanFactory().registerSingleton("testRegistry", this.registry);
				}
			})
			.run(this.properties.stream().map("--"::concat).toArray(String[]::new)));
		return this;
	}

	FakeRegistry registry() {
		return this.registry;
	}

	<T> T bean(Class<T> type) {
		return this.context.orElseThrow().getBean(type);
	}

	Fleet fleet() {
		return bean(Fleet.class);
	}

	URI address() {
		return URI
			.create("http://localhost:" + this.context.orElseThrow().getEnvironment().getProperty("local.server.port"));
	}

	HttpResponse<String> get(String path, String... headers) {
		return send("GET", path, headers);
	}

	HttpResponse<String> news(Instance instance) {
		return send("POST", "/.warmup/instances/" + instance.instanceId());
	}

	/** Sends a request; headers are names and values in turn. */
	HttpResponse<String> send(String method, String path, String... headers) {
		return send(method, path, new byte[0], headers);
	}

	HttpResponse<String> send(String method, String path, byte[] body, String... headers) {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address() + path))
			.timeout(Duration.ofSeconds(60))
			.method(method, (body.length > 0) ? BodyPublishers.ofByteArray(body) : BodyPublishers.noBody());
		if (headers.length > 0) {
			request.headers(headers);
		}
		try {
			return CLIENT.send(request.build(), BodyHandlers.ofString());
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	/** The statuses or bodies of so many users' requests. */
	List<String> users(int count, String path) {
		List<String> answers = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			HttpResponse<String> answer = get(path);
			answers.add((answer.statusCode() == 200) ? answer.body() : Integer.toString(answer.statusCode()));
		}
		return answers;
	}

	static void await(Callable<Boolean> condition) {
		Awaitility.await().atMost(Duration.ofSeconds(60)).until(condition);
	}

	@Override
	public void close() {
		this.context.ifPresent(ConfigurableApplicationContext::close);
	}

	/** What the library's other packages contribute, and discovery over the registry. */
	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration(excludeName = { "dev.warmup.service.WarmupServiceAutoConfiguration",
			"dev.warmup.registry.WarmupRegistryAutoConfiguration", "dev.warmup.run.WarmupRunAutoConfiguration",
			"dev.warmup.actuate.WarmupActuateAutoConfiguration" })
	static class Application {

		private static final Clock CLOCK = new MonotonicClock();

		@Bean(name = "dev.warmup.clock", defaultCandidate = false)
		Clock clock() {
			return CLOCK;
		}

		@Bean
		Instance.Source self() {
			return () -> new Instance("gateway", ID);
		}

		@Bean
		Gate gate(ApplicationEventPublisher events) {
			return new Gate(true, events);
		}

		@Bean
		OwnState ownState(Instance.Source self, Gate gate) {
			return new OwnState(self, gate, () -> Mono.just(true), CLOCK);
		}

		@Bean
		UserActivity userActivity() {
			return new UserActivity(CLOCK);
		}

	}

	/** A registry whose copy at the gateway may differ from itself. */
	static final class FakeRegistry implements Registry, ReactiveDiscoveryClient {

		private final Map<String, Registered> copy = new ConcurrentHashMap<>();

		private final Map<String, Registered> all = new ConcurrentHashMap<>();

		private final AtomicInteger reads = new AtomicInteger();

		private volatile boolean read = true;

		/** In the copy, and in the registry itself. */
		void list(Registered... registered) {
			for (Registered each : registered) {
				this.copy.put(each.instance().instanceId(), each);
				this.all.put(each.instance().instanceId(), each);
			}
		}

		/** In the registry itself alone. */
		void register(Registered registered) {
			this.all.put(registered.instance().instanceId(), registered);
		}

		void remove(Instance instance) {
			this.copy.remove(instance.instanceId());
			this.all.remove(instance.instanceId());
		}

		void notRead() {
			this.read = false;
		}

		int reads() {
			return this.reads.get();
		}

		@Override
		public boolean isRead() {
			return this.read;
		}

		@Override
		public List<Registered> instances() {
			return List.copyOf(this.copy.values());
		}

		@Override
		public Mono<Optional<Registered>> read(String instanceId) {
			return Mono.fromSupplier(() -> {
				this.reads.incrementAndGet();
				return Optional.ofNullable(this.all.get(instanceId));
			});
		}

		@Override
		public String description() {
			return "a test's registry";
		}

		@Override
		public Flux<ServiceInstance> getInstances(String serviceId) {
			return Flux.fromStream(() -> this.copy.values().stream())
				.filter((each) -> each.status() == Registered.Status.UP
						&& each.instance().service().equalsIgnoreCase(serviceId))
				.map(Registered::address);
		}

		@Override
		public Flux<String> getServices() {
			return Flux.fromStream(() -> this.copy.values().stream())
				.filter((each) -> each.status() == Registered.Status.UP)
				.map((each) -> each.instance().service())
				.distinct();
		}

	}

}
