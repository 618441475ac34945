package dev.warmup.discovery;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import dev.warmup.RunningApplication;
import dev.warmup.protocol.Gate;
import dev.warmup.protocol.Phase;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;

/**
 * A service named chat, with another instance id at each start. Its run waits for a
 * gateway that does not exist, so that the test decides when its gate opens.
 */
final class RegisteredService implements AutoCloseable {

	private static final AtomicInteger STARTED = new AtomicInteger();

	/** Lets leases be renewed and expire within seconds. */
	static final List<String> QUICK = List.of("eureka.instance.lease-renewal-interval-in-seconds=1",
			"eureka.instance.lease-expiration-duration-in-seconds=3",
			"eureka.client.instance-info-replication-interval-seconds=1",
			"eureka.client.registry-fetch-interval-seconds=3",
			"eureka.client.heartbeat-executor-exponential-back-off-bound=1");

	private static final String NO_GATEWAY = "http://localhost:9";

	private final RunningApplication application;

	private final String id;

	private RegisteredService(String id, RunningApplication application) {
		this.id = id;
		this.application = application;
	}

	/** Starts it with Eureka's default intervals. */
	static RegisteredService start(RegistryServer registry, WebApplicationType type, String... properties) {
		return start(RunningApplication.Plain.class, registry, type, properties);
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
				"warmup.gateway.url=" + NO_GATEWAY, "warmup.startup.budget=10m",
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

	/** Concludes the first run as the runner does. */
	void concludeRun(Phase phase) {
		bean(Gate.class).onConcluded(Optional.of(phase));
	}

	/** Lets the application accept or refuse traffic. */
	void publish(ReadinessState state) {
		this.application.publish(new AvailabilityChangeEvent<>(this, state));
	}

	@Override
	public void close() {
		this.application.close();
	}

}
