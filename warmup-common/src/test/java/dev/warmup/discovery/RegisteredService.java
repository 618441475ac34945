package dev.warmup.discovery;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import dev.warmup.RunningApplication;
import dev.warmup.protocol.Gate;
import dev.warmup.protocol.Phase;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;

/**
 * A service named chat that registers under a new name each time, and whose run waits for
 * a gateway that does not come: its gate opens when the test says so.
 */
final class RegisteredService implements AutoCloseable {

	private static final AtomicInteger STARTED = new AtomicInteger();

	/** So that a lease is renewed, and an instance evicted, within a test's patience. */
	static final List<String> QUICK = List.of("eureka.instance.lease-renewal-interval-in-seconds=1",
			"eureka.instance.lease-expiration-duration-in-seconds=3",
			"eureka.client.instance-info-replication-interval-seconds=1",
			"eureka.client.registry-fetch-interval-seconds=3",
			"eureka.client.heartbeat-executor-exponential-back-off-bound=1");

	private static final String NOBODY = "http://localhost:9";

	private final RunningApplication application;

	private final String id;

	private RegisteredService(String id, RunningApplication application) {
		this.id = id;
		this.application = application;
	}

	/** Starts it with Eureka's default intervals. */
	static RegisteredService start(RegistryServer registry, WebApplicationType type, String... properties) {
		return start(App.class, registry, type, properties);
	}

	static RegisteredService quick(RegistryServer registry, String... properties) {
		return start(registry, WebApplicationType.REACTIVE,
				Stream.concat(QUICK.stream(), Stream.of(properties)).toArray(String[]::new));
	}

	static RegisteredService start(Class<?> source, RegistryServer registry, WebApplicationType type,
			String... properties) {
		String id = "chat-" + STARTED.incrementAndGet();
		Stream<String> common = Stream.of("spring.application.name=chat", "eureka.client.enabled=true",
				"eureka.client.jersey.enabled=false", "eureka.client.service-url.defaultZone=" + registry.url(),
				"eureka.instance.instance-id=" + id, "eureka.instance.prefer-ip-address=true",
				"warmup.gateway.url=" + NOBODY, "warmup.startup.budget=10m",
				"warmup.catalog=classpath:dev/warmup/autoconfigure/rooms.yml");
		return new RegisteredService(id, RunningApplication.service(source, type,
				Stream.concat(common, Stream.of(properties)).toArray(String[]::new)));
	}

	String id() {
		return this.id;
	}

	RunningApplication application() {
		return this.application;
	}

	<T> T bean(Class<T> type) {
		return this.application.bean(type);
	}

	int port() {
		return Integer.parseInt(this.application.address().replaceFirst(".*:", ""));
	}

	/** Ends the first run as the runner does. */
	void runLeaves(Phase phase) {
		bean(Gate.class).onConcluded(Optional.of(phase));
	}

	/** The application accepts or refuses traffic, whatever the gate says. */
	void publish(ReadinessState state) {
		AvailabilityChangeEvent.publish(bean(Publisher.class).context(), state);
	}

	@Override
	public void close() {
		this.application.close();
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class App {

		@Bean
		Publisher publisher(ApplicationContext context) {
			return new Publisher(context);
		}

	}

	record Publisher(ApplicationContext context) {

	}

}
