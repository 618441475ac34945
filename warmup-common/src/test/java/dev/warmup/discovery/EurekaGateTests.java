package dev.warmup.discovery;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import com.netflix.appinfo.InstanceInfo;
import com.netflix.appinfo.InstanceInfo.InstanceStatus;
import com.netflix.discovery.EurekaClient;
import dev.warmup.RunningApplication;
import dev.warmup.protocol.Gate;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.WarmupKey;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.Mockito;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cloud.commons.util.InetUtils;
import org.springframework.cloud.commons.util.InetUtilsProperties;
import org.springframework.cloud.context.scope.refresh.RefreshScope;
import org.springframework.cloud.netflix.eureka.EurekaInstanceConfigBean;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.core.Ordered;

import static org.assertj.core.api.Assertions.assertThat;

/** Real services registered in a real Eureka server, observed by its REST interface. */
class EurekaGateTests {

	private static final RegistryServer REGISTRY = new RegistryServer();

	private final AtomicBoolean open = new AtomicBoolean();

	private final VirtualTimeScheduler time = VirtualTimeScheduler.create();

	@AfterAll
	static void stopRegistry() {
		REGISTRY.close();
	}

	@ParameterizedTest
	@CsvSource({ "UP, UP, true", "OUT_OF_SERVICE, UP, false", "DOWN, UP, false", "UP, DOWN, false",
			"STARTING, UP, false" })
	void usersAreAcceptedOnlyWhereStatusAndHealthAreUp(InstanceStatus status, InstanceStatus health, boolean accepts) {
		EurekaClient eureka = Mockito.mock(EurekaClient.class, Mockito.RETURNS_DEEP_STUBS);
		Mockito.when(eureka.getApplicationInfoManager().getInfo().getStatus()).thenReturn(status);
		Mockito.when(eureka.getHealthCheckHandler().getStatus(InstanceStatus.UP)).thenReturn(health);
		StaticListableBeanFactory beans = new StaticListableBeanFactory(Map.of("eureka", eureka));
		StepVerifier.create(gate(beans, Schedulers.immediate()).isUp())
			.expectNext(accepts)
			.expectComplete()
			.verify(Duration.ofSeconds(30));
	}

	@Test
	void eurekaHasNoSayWhereItsClientIsOff() {
		StepVerifier.create(gate(new StaticListableBeanFactory(), Schedulers.immediate()).isUp())
			.expectNext(true)
			.expectComplete()
			.verify(Duration.ofSeconds(30));
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "REACTIVE", "SERVLET" })
	void instanceIsStartingAndThenUpWithoutDelayAtDefaultIntervals(WebApplicationType type) {
		try (RegisteredService service = RegisteredService.start(type)) {
			REGISTRY.awaitStatus(service.id(), "STARTING");
			service.completeRun(Phase.WARM);
			REGISTRY.awaitStatus(service.id(), "UP");
			assertThat(REGISTRY.registrations(service.id())).allSatisfy((each) -> assertPublished(each, service));
			assertThat(REGISTRY.registeredStatuses(service.id())).containsExactly(InstanceStatus.STARTING,
					InstanceStatus.UP);
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	@Tag("full")
	void statusSurvivesRenewalEvictionAndRefreshOfTheContext(boolean healthCheck) {
		try (RegisteredService service = RegisteredService.quick("eureka.client.healthcheck.enabled=" + healthCheck)) {
			REGISTRY.awaitStatus(service.id(), "STARTING");
			assertStatusSurvives(service, "STARTING");
			assertThat(REGISTRY.registeredStatuses(service.id())).containsOnly(InstanceStatus.STARTING);
			service.completeRun(Phase.WARM);
			REGISTRY.awaitStatus(service.id(), "UP");
			assertStatusSurvives(service, "UP");
			assertThat(REGISTRY.registrations(service.id())).allSatisfy((each) -> assertPublished(each, service));
			if (healthCheck) {
				service.publish(ReadinessState.REFUSING_TRAFFIC);
				REGISTRY.awaitStatus(service.id(), "DOWN");
			}
		}
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
	@Tag("full")
	void initialStatusSetByTheApplicationIsLeftAlone() {
		try (RegisteredService service = RegisteredService.quick("eureka.instance.initial-status=starting",
				"eureka.client.initial-instance-info-replication-interval-seconds=0")) {
			REGISTRY.awaitStatus(service.id(), "STARTING");
			service.completeRun(Phase.WARM);
			REGISTRY.awaitRenewal(service.id());
			assertThat(REGISTRY.status(service.id())).hasValue("STARTING");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "false", "true" })
	@Tag("full")
	void instanceDoesNotBecomeUpDuringShutdown(String healthCheck) {
		RegisteredService service = RegisteredService.start(OpensDuringShutdown.class, WebApplicationType.REACTIVE,
				"eureka.client.healthcheck.enabled=" + healthCheck);
		Gate gate = service.bean(Gate.class);
		try (service) {
			REGISTRY.awaitStatus(service.id(), "STARTING");
		}
		assertThat(gate.isOpen()).isTrue();
		assertThat(REGISTRY.registeredStatuses(service.id())).contains(InstanceStatus.STARTING)
			.doesNotContain(InstanceStatus.UP);
		assertThat(REGISTRY.status(service.id())).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 2 })
	@ExtendWith(OutputCaptureExtension.class)
	void missingOrAmbiguousClientIsLogged(int count, CapturedOutput output) {
		DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
		for (int i = 0; i < count; i++) {
			beans.registerSingleton("client-" + i, Mockito.mock(EurekaClient.class));
		}
		EurekaGate gate = gate(beans, this.time);
		gate.prepare(new EurekaInstanceConfigBean(new InetUtils(new InetUtilsProperties())));
		gate.onReadiness(new AvailabilityChangeEvent<>(this, ReadinessState.ACCEPTING_TRAFFIC));
		gate.onReadiness(new AvailabilityChangeEvent<>(this, ReadinessState.REFUSING_TRAFFIC));
		this.open.set(true);
		gate.onGateOpened();
		assertThat(output).as("it was never open to users").doesNotContain("Eureka clients");
		gate.onReadiness(new AvailabilityChangeEvent<>(this, ReadinessState.ACCEPTING_TRAFFIC));
		this.time.advanceTimeBy(Duration.ofMinutes(5));
		assertThat(output).containsOnlyOnce("there are %d Eureka clients and none is the primary one".formatted(count));
	}

	private EurekaGate gate(BeanFactory beans, Scheduler scheduler) {
		return new EurekaGate(this.open::get, () -> false, () -> false,
				beans.getBeanProvider(EurekaInstanceConfigBean.class), beans.getBeanProvider(EurekaClient.class),
				scheduler);
	}

	private static void assertPublished(InstanceInfo registered, RegisteredService service) {
		assertThat(registered.getPort()).isEqualTo(service.port());
		assertThat(registered.getMetadata()).containsEntry(WarmupKey.METADATA_KEY,
				service.bean(WarmupKey.class).jwk().orElseThrow());
	}

	/** Completes the run during shutdown. */
	static class OpensDuringShutdown extends RunningApplication.Plain {

		@Bean
		ApplicationListener<ContextClosedEvent> opener(Gate gate) {
			return new Opener(gate);
		}

	}

	private record Opener(Gate gate) implements ApplicationListener<ContextClosedEvent>, Ordered {

		@Override
		public void onApplicationEvent(ContextClosedEvent event) {
			this.gate.onCompleted(Optional.empty());
		}

		/** Before Eureka's registration sets DOWN. */
		@Override
		public int getOrder() {
			return Ordered.HIGHEST_PRECEDENCE;
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
				"eureka.client.registry-fetch-interval-seconds=3",
				"eureka.client.heartbeat-executor-exponential-back-off-bound=1");

		/** Starts it with Eureka's default intervals. */
		static RegisteredService start(WebApplicationType type, String... properties) {
			return start(RunningApplication.Plain.class, type, properties);
		}

		static RegisteredService quick(String... properties) {
			return start(WebApplicationType.REACTIVE,
					Stream.concat(QUICK.stream(), Stream.of(properties)).toArray(String[]::new));
		}

		static RegisteredService start(Class<?> source, WebApplicationType type, String... properties) {
			String id = "chat-" + STARTED.incrementAndGet();
			Stream<String> common = Stream.of("spring.application.name=chat", "eureka.client.enabled=true",
					"eureka.client.jersey.enabled=false", "eureka.client.service-url.defaultZone=" + REGISTRY.url(),
					"eureka.instance.instance-id=" + id, "eureka.instance.prefer-ip-address=true");
			return new RegisteredService(id, RunningApplication.waiting(source, type,
					Stream.concat(common, Stream.of(properties)).toArray(String[]::new)));
		}

		<T> T bean(Class<T> type) {
			return this.application.bean(type);
		}

		int port() {
			return Integer.parseInt(this.application.address().replaceFirst(".*:", ""));
		}

		/** Completes the first run as the runner does. */
		void completeRun(Phase phase) {
			bean(Gate.class).onCompleted(Optional.of(phase));
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

}
