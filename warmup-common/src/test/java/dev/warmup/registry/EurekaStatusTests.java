package dev.warmup.registry;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import com.netflix.appinfo.HealthCheckHandler;
import com.netflix.appinfo.InstanceInfo;
import com.netflix.appinfo.InstanceInfo.InstanceStatus;
import dev.warmup.GatewayLocator;
import dev.warmup.RunningApplication;
import dev.warmup.service.Gate;
import dev.warmup.service.OwnState;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cloud.context.scope.refresh.RefreshScope;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.core.Ordered;

import static dev.warmup.RunningApplication.await;
import static org.assertj.core.api.Assertions.assertThat;

/** Real services registered in a real Eureka server, observed by its REST interface. */
class EurekaStatusTests {

	private static final RegistryServer REGISTRY = new RegistryServer();

	static {
		// a full member of the service that most tests start another instance of
		REGISTRY.register("CHAT", "chat:full-member", "UP", URI.create("http://localhost:1"), "service");
	}

	@AfterAll
	static void stopRegistry() {
		REGISTRY.close();
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "REACTIVE", "SERVLET" })
	void besideAnotherItIsStartingAndThenUpWithoutDelayAtDefaultIntervals(WebApplicationType type) {
		try (RegisteredService service = RegisteredService.start(type, "server.servlet.context-path=/shop",
				"spring.webflux.base-path=/shop")) {
			REGISTRY.awaitStatus(service.id(), "STARTING");
			service.openGate();
			REGISTRY.awaitStatus(service.id(), "UP");
			assertThat(REGISTRY.registrations(service.id())).allSatisfy((each) -> {
				assertThat(each.getPort()).isEqualTo(service.port());
				assertThat(each.getMetadata()).containsEntry("warmup", "service /shop").containsEntry("zone", "a");
			});
			assertThat(REGISTRY.registeredStatuses(service.id())).containsExactly(InstanceStatus.STARTING,
					InstanceStatus.UP);
		}
	}

	@ParameterizedTest
	@CsvSource({ "false, ", "true, ", "false, eureka.instance.async-client-initialization=true" })
	void theFirstInstanceOfAServiceIsUpFromTheStart(boolean healthCheck, String property) {
		try (RegisteredService service = RegisteredService.quick(
				"spring.application.name=first" + healthCheck + (property != null),
				"eureka.client.healthcheck.enabled=" + healthCheck, (property != null) ? property : "a=b")) {
			REGISTRY.awaitStatus(service.id(), "UP");
			assertThat(service.bean(Gate.class).isOpen()).isFalse();
			await(service::accepts); // but for its gate
			REGISTRY.awaitMetadata(service.id(), "warmup", "service");
		}
	}

	@Test
	void theFirstInstanceIsStartingWhereNoUserMayMeetAColdOne() {
		try (RegisteredService service = RegisteredService.start(WebApplicationType.REACTIVE,
				"spring.application.name=strict", "warmup.gate.on-failure=closed")) {
			REGISTRY.awaitStatus(service.id(), "STARTING");
			assertThat(REGISTRY.registeredStatuses(service.id())).containsOnly(InstanceStatus.STARTING);
			service.openGate();
			REGISTRY.awaitStatus(service.id(), "UP");
		}
	}

	@Test
	@Tag("full")
	void itIsUpOnceTheRegistryThatCameLaterHasNoOther() {
		int port = RegistryServer.freePort();
		try (RegisteredService service = RegisteredService.start(WebApplicationType.REACTIVE,
				"spring.application.name=early", "eureka.client.registry-fetch-interval-seconds=1",
				"eureka.client.instance-info-replication-interval-seconds=1",
				"eureka.client.service-url.defaultZone=http://localhost:" + port + "/eureka/");
				RegistryServer late = new RegistryServer("server.port=" + port)) {
			late.awaitStatus(service.id(), "UP");
			assertThat(service.bean(Gate.class).isOpen()).isFalse();
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	@Tag("full")
	void statusSurvivesRenewalEvictionAndRefreshOfTheContext(boolean healthCheck) {
		try (RegisteredService service = RegisteredService.quick("eureka.client.healthcheck.enabled=" + healthCheck)) {
			REGISTRY.awaitStatus(service.id(), "STARTING");
			assertStatusSurvives(service, "STARTING");
			assertThat(REGISTRY.registeredStatuses(service.id())).doesNotContain(InstanceStatus.UP);
			service.openGate();
			REGISTRY.awaitStatus(service.id(), "UP");
			assertStatusSurvives(service, "UP");
			assertThat(REGISTRY.registrations(service.id())).filteredOn(EurekaStatusTests::isRegular)
				.allSatisfy((each) -> assertThat(each.getMetadata()).containsEntry("warmup", "service"));
			if (healthCheck) {
				service.publish(ReadinessState.REFUSING_TRAFFIC);
				REGISTRY.awaitStatus(service.id(), "OUT_OF_SERVICE", "DOWN");
			}
		}
	}

	/** A refresh deregisters first, with a client that is new. */
	private static boolean isRegular(InstanceInfo registered) {
		return registered.getStatus() != InstanceStatus.DOWN;
	}

	private static void assertStatusSurvives(RegisteredService service, String status) {
		REGISTRY.awaitRenewal(service.id());
		assertThat(REGISTRY.status(service.id())).hasValue(status);
		REGISTRY.forget(service.id());
		REGISTRY.awaitStatus(service.id(), status);
		service.bean(RefreshScope.class).refreshAll();
		REGISTRY.awaitStatus(service.id(), status);
	}

	@Test
	void anOpenGateWaitsUntilTheApplicationAcceptsTraffic() {
		try (RegisteredService service = RegisteredService.quick()) {
			REGISTRY.awaitStatus(service.id(), "STARTING");
			service.publish(ReadinessState.REFUSING_TRAFFIC);
			service.openGate();
			REGISTRY.awaitRenewal(service.id());
			assertThat(REGISTRY.status(service.id())).hasValue("STARTING");
			service.publish(ReadinessState.ACCEPTING_TRAFFIC);
			REGISTRY.awaitStatus(service.id(), "UP");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "eureka.instance.initial-status=down", "eureka.instance.initial-status=up",
			"eureka.instance.instance-enabled-onit=true" })
	@Tag("full")
	@ExtendWith(OutputCaptureExtension.class)
	void statusSetByTheApplicationIsLeftAloneAndLogged(String property, CapturedOutput output) {
		try (RegisteredService service = RegisteredService.quick(property)) {
			String status = property.endsWith("down") ? "DOWN" : "UP";
			REGISTRY.awaitStatus(service.id(), status);
			service.openGate();
			REGISTRY.awaitRenewal(service.id());
			assertThat(REGISTRY.status(service.id())).hasValue(status);
			assertThat(service.accepts()).isEqualTo(status.equals("UP"));
			assertThat(output).containsOnlyOnce("left alone").contains("before it is warm");
		}
	}

	@Test
	void usersAreAcceptedOnlyWhereHealthIsUpAndNoOperatorRefusesThem() {
		// an eviction, where this is slow, would end what the operator said
		List<String> properties = Stream
			.concat(RegisteredService.QUICK.stream(),
					Stream.of("eureka.instance.lease-expiration-duration-in-seconds=90"))
			.toList();
		try (RegisteredService service = RegisteredService.start(WithHealth.class, WebApplicationType.REACTIVE,
				properties)) {
			REGISTRY.awaitStatus(service.id(), "STARTING");
			assertThat(service.accepts()).as("but for its gate").isTrue();
			service.bean(WithHealth.class).health = InstanceStatus.DOWN;
			assertThat(service.accepts()).isFalse();
			service.openGate();
			service.bean(WithHealth.class).health = InstanceStatus.UP;
			REGISTRY.awaitStatus(service.id(), "UP");
			assertThat(service.accepts()).isTrue();
			REGISTRY.override(service.id(), "OUT_OF_SERVICE");
			await(() -> !service.accepts());
			REGISTRY.awaitRenewal(service.id());
			assertThat(REGISTRY.status(service.id())).hasValue("OUT_OF_SERVICE");
		}
	}

	@Test
	void aHealthCheckThatHangsTakesNoUsersFromAnInstanceThatIsUp() {
		try (RegisteredService service = RegisteredService.start(WithHealth.class, WebApplicationType.REACTIVE,
				List.of("spring.application.name=slow"))) {
			REGISTRY.awaitStatus(service.id(), "UP");
			assertThat(service.accepts()).isTrue();
			CountDownLatch hanging = new CountDownLatch(1);
			service.bean(WithHealth.class).hanging = hanging;
			assertThat(service.accepts()).isTrue();
			hanging.countDown();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "false", "true" })
	@Tag("full")
	void instanceDoesNotBecomeUpDuringShutdown(String healthCheck) {
		RegisteredService service = RegisteredService.start(OpensDuringShutdown.class, WebApplicationType.REACTIVE,
				List.of("eureka.client.healthcheck.enabled=" + healthCheck));
		Gate gate = service.bean(Gate.class);
		try (service) {
			REGISTRY.awaitStatus(service.id(), "STARTING");
		}
		assertThat(gate.isOpen()).isTrue();
		assertThat(REGISTRY.registeredStatuses(service.id())).contains(InstanceStatus.STARTING)
			.doesNotContain(InstanceStatus.UP);
		assertThat(REGISTRY.status(service.id())).isEmpty();
	}

	@Test
	void gatewayIsUpFromTheStartAndSaysWhatItIs() {
		try (RunningApplication gateway = RunningApplication.gateway(RunningApplication.Plain.class,
				RegisteredService.properties("edge-1", "spring.application.name=edge"))) {
			REGISTRY.awaitStatus("edge-1", "UP");
			REGISTRY.awaitMetadata("edge-1", "warmup", "gateway");
			assertThat(gateway.bean(Gate.class).isOpen()).isFalse();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "eureka.client.register-with-eureka=false",
			"spring.cloud.service-registry.auto-registration.enabled=false" })
	void nothingIsRegisteredThatTheApplicationDoesNotRegister(String property) {
		try (RegisteredService service = RegisteredService.quick(property,
				"eureka.client.initial-instance-info-replication-interval-seconds=0")) {
			EurekaRegistry registry = service.bean(EurekaRegistry.class);
			assertThat(registry.read("chat:full-member").blockOptional(Duration.ofSeconds(30)).orElseThrow())
				.isPresent();
			service.openGate();
			assertThat(service.accepts()).as("Eureka has no say").isTrue();
			assertThat(service.bean(GatewayLocator.class)).returns(false, GatewayLocator::isAvailable)
				.satisfies((locator) -> assertThat(locator.description()).contains(property.split("=")[0]));
			assertThat(REGISTRY.status(service.id())).isEmpty();
		}
	}

	/** Opens the gate during shutdown, just before users leave. */
	static class OpensDuringShutdown extends RunningApplication.Plain {

		@Bean
		ApplicationListener<ContextClosedEvent> opener(Gate gate) {
			return new Opener(gate);
		}

	}

	private record Opener(Gate gate) implements ApplicationListener<ContextClosedEvent>, Ordered {

		@Override
		public void onApplicationEvent(ContextClosedEvent event) {
			this.gate.open();
			this.gate.leave();
		}

		/** Before Eureka's registration sets DOWN. */
		@Override
		public int getOrder() {
			return Ordered.HIGHEST_PRECEDENCE;
		}

	}

	/** Has a health check of its own. */
	static class WithHealth extends RunningApplication.Plain {

		private volatile InstanceStatus health = InstanceStatus.UP;

		private volatile CountDownLatch hanging = new CountDownLatch(0);

		@Bean
		HealthCheckHandler handler() {
			return (current) -> {
				try {
					this.hanging.await();
				}
				catch (InterruptedException ex) {
					throw new IllegalStateException(ex);
				}
				return this.health;
			};
		}

	}

	/**
	 * A service named chat, with another instance id at each start, whose gate the test
	 * opens.
	 */
	private record RegisteredService(String id, RunningApplication application) implements AutoCloseable {

		private static final AtomicInteger STARTED = new AtomicInteger();

		/** Lets leases be renewed and expire within seconds. */
		static final List<String> QUICK = List.of("eureka.instance.lease-renewal-interval-in-seconds=1",
				"eureka.instance.lease-expiration-duration-in-seconds=3",
				"eureka.client.instance-info-replication-interval-seconds=1",
				"eureka.client.registry-fetch-interval-seconds=1",
				"eureka.client.heartbeat-executor-exponential-back-off-bound=1");

		/** Starts it with Eureka's default intervals. */
		static RegisteredService start(WebApplicationType type, String... properties) {
			return start(RunningApplication.Plain.class, type, List.of(properties));
		}

		static RegisteredService quick(String... properties) {
			return start(WebApplicationType.REACTIVE,
					Stream.concat(QUICK.stream(), Stream.of(properties)).toArray(String[]::new));
		}

		static RegisteredService start(Class<?> source, WebApplicationType type, List<String> properties) {
			String id = "chat-" + STARTED.incrementAndGet();
			return new RegisteredService(id,
					RunningApplication.withoutRuns(source, type, properties(id, properties.toArray(String[]::new))));
		}

		static String[] properties(String id, String... properties) {
			return Stream.concat(Stream.of("spring.application.name=chat", "eureka.client.enabled=true",
					"eureka.client.jersey.enabled=false", "eureka.client.service-url.defaultZone=" + REGISTRY.url(),
					"eureka.instance.instance-id=" + id, "eureka.instance.prefer-ip-address=true",
					"eureka.instance.metadata-map.zone=a"), Stream.of(properties))
				.toArray(String[]::new);
		}

		<T> T bean(Class<T> type) {
			return this.application.bean(type);
		}

		int port() {
			return Integer.parseInt(this.application.address().replaceFirst(".*:", ""));
		}

		void openGate() {
			bean(Gate.class).open();
		}

		/** Lets the application accept or refuse traffic. */
		void publish(ReadinessState state) {
			this.application.publish(new AvailabilityChangeEvent<>(this, state));
		}

		/** Whether users may come but for the gate. */
		boolean accepts() {
			return bean(OwnState.class).read("gw-1", Set.of(), Optional.empty())
				.blockOptional(Duration.ofSeconds(30))
				.orElseThrow()
				.accepting();
		}

		@Override
		public void close() {
			this.application.close();
		}

	}

}
