package dev.warmup.discovery;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

import com.netflix.appinfo.InstanceInfo;
import com.netflix.appinfo.InstanceInfo.InstanceStatus;
import com.netflix.discovery.EurekaClient;
import dev.warmup.RunningApplication;
import dev.warmup.protocol.Gate;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.WarmupKey;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.Mockito;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

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

	@BeforeAll
	static void startRegistry() {
		REGISTRY.start();
	}

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
		EurekaGate gate = new EurekaGate(() -> true, () -> false, () -> false,
				beans.getBeanProvider(EurekaInstanceConfigBean.class), beans.getBeanProvider(EurekaClient.class),
				Schedulers.immediate());
		StepVerifier.create(gate.isUp()).expectNext(accepts).expectComplete().verify(Duration.ofSeconds(30));
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "REACTIVE", "SERVLET" })
	void instanceIsStartingAndThenUpWithoutDelayAtDefaultIntervals(WebApplicationType type) {
		try (RegisteredService service = RegisteredService.start(REGISTRY, type)) {
			REGISTRY.awaitStatus(service.id(), "STARTING");
			service.concludeRun(Phase.WARM);
			REGISTRY.awaitStatus(service.id(), "UP");
			assertThat(REGISTRY.registrations(service.id())).allSatisfy((each) -> assertPublished(each, service));
			assertThat(REGISTRY.registeredStatuses(service.id())).containsExactly(InstanceStatus.STARTING,
					InstanceStatus.UP);
		}
	}

	@Test
	@Tag("full")
	void statusSurvivesRenewalAndEviction() {
		try (RegisteredService service = RegisteredService.quick(REGISTRY)) {
			REGISTRY.awaitStatus(service.id(), "STARTING");
			REGISTRY.awaitRenewal(service.id());
			assertThat(REGISTRY.status(service.id())).hasValue("STARTING");
			REGISTRY.forget(service.id());
			REGISTRY.awaitStatus(service.id(), "STARTING");
			service.concludeRun(Phase.WARM);
			REGISTRY.awaitStatus(service.id(), "UP");
			REGISTRY.awaitRenewal(service.id());
			assertThat(REGISTRY.status(service.id())).hasValue("UP");
			REGISTRY.forget(service.id());
			REGISTRY.awaitStatus(service.id(), "UP");
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	@Tag("full")
	void refreshOfTheContextRestoresTheStatusWithAndWithoutHealthCheck(boolean healthCheck) {
		try (RegisteredService service = RegisteredService.quick(REGISTRY,
				"eureka.client.healthcheck.enabled=" + healthCheck)) {
			REGISTRY.awaitStatus(service.id(), "STARTING");
			service.bean(RefreshScope.class).refreshAll();
			REGISTRY.awaitStatus(service.id(), "STARTING");
			assertThat(REGISTRY.registeredStatuses(service.id())).containsOnly(InstanceStatus.STARTING);
			service.concludeRun(Phase.WARM);
			REGISTRY.awaitStatus(service.id(), "UP");
			service.bean(RefreshScope.class).refreshAll();
			REGISTRY.awaitStatus(service.id(), "UP");
			assertThat(REGISTRY.registrations(service.id())).allSatisfy((each) -> assertPublished(each, service));
			if (healthCheck) {
				service.publish(ReadinessState.REFUSING_TRAFFIC);
				REGISTRY.awaitStatus(service.id(), "DOWN");
			}
		}
	}

	@Test
	@Tag("full")
	void instanceIsUpOnlyWhenTheGateIsOpenAndTheApplicationAcceptsTraffic() {
		try (RegisteredService service = RegisteredService.quick(REGISTRY, "warmup.gate.on-failure=closed")) {
			service.concludeRun(Phase.FAILED);
			REGISTRY.awaitRenewal(service.id());
			assertThat(REGISTRY.status(service.id())).hasValue("STARTING");
			assertThat(service.application().get("/.warmup/ready").statusCode()).isEqualTo(503);
			service.publish(ReadinessState.REFUSING_TRAFFIC);
			service.concludeRun(Phase.WARM);
			REGISTRY.awaitRenewal(service.id());
			assertThat(REGISTRY.status(service.id())).hasValue("STARTING");
			service.publish(ReadinessState.ACCEPTING_TRAFFIC);
			REGISTRY.awaitStatus(service.id(), "UP");
			assertThat(service.application().get("/.warmup/ready").statusCode()).isEqualTo(200);
		}
	}

	@Test
	@Tag("full")
	void initialStatusSetByTheApplicationIsLeftAlone() {
		try (RegisteredService service = RegisteredService.quick(REGISTRY, "eureka.instance.initial-status=starting",
				"eureka.client.initial-instance-info-replication-interval-seconds=0")) {
			REGISTRY.awaitStatus(service.id(), "STARTING");
			service.concludeRun(Phase.WARM);
			REGISTRY.awaitRenewal(service.id());
			assertThat(REGISTRY.status(service.id())).hasValue("STARTING");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "false", "true" })
	@Tag("full")
	void instanceDoesNotBecomeUpDuringShutdown(String healthCheck) {
		RegisteredService service = RegisteredService.start(OpensDuringShutdown.class, REGISTRY,
				WebApplicationType.REACTIVE, "eureka.client.healthcheck.enabled=" + healthCheck);
		Gate gate = service.bean(Gate.class);
		REGISTRY.awaitStatus(service.id(), "STARTING");
		service.close();
		assertThat(gate.isOpen()).isTrue();
		assertThat(REGISTRY.registeredStatuses(service.id())).contains(InstanceStatus.STARTING)
			.doesNotContain(InstanceStatus.UP);
		assertThat(REGISTRY.status(service.id())).isEmpty();
	}

	@Test
	@Tag("full")
	void registryThatStartsLateOrIsRestartedEmptyReceivesTheStatus() {
		try (RegistryServer registry = new RegistryServer();
				RegisteredService service = RegisteredService.quick(registry)) {
			registry.start();
			registry.awaitStatus(service.id(), "STARTING");
			registry.stop();
			service.concludeRun(Phase.WARM);
			registry.start();
			registry.awaitStatus(service.id(), "UP");
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 2 })
	@ExtendWith(OutputCaptureExtension.class)
	void missingOrAmbiguousClientIsLogged(int count, CapturedOutput output) {
		DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
		for (int i = 0; i < count; i++) {
			beans.registerSingleton("client-" + i, Mockito.mock(EurekaClient.class));
		}
		EurekaGate gate = new EurekaGate(this.open::get, () -> false, () -> false,
				beans.getBeanProvider(EurekaInstanceConfigBean.class), beans.getBeanProvider(EurekaClient.class),
				this.time);
		gate.prepare(new EurekaInstanceConfigBean(new InetUtils(new InetUtilsProperties())));
		gate.onReadiness(new AvailabilityChangeEvent<>(this, ReadinessState.ACCEPTING_TRAFFIC));
		assertThat(output).doesNotContain("Eureka clients");
		this.open.set(true);
		gate.onGateOpened();
		this.time.advanceTimeBy(Duration.ofMinutes(5));
		assertThat(output).containsOnlyOnce("there are %d Eureka clients and none is the primary one".formatted(count));
	}

	private static void assertPublished(InstanceInfo registered, RegisteredService service) {
		assertThat(registered.getPort()).isEqualTo(service.port());
		assertThat(registered.getMetadata()).containsEntry(WarmupKey.METADATA_KEY,
				service.bean(WarmupKey.class).jwk().orElseThrow());
	}

	/** Concludes the run during shutdown. */
	static class OpensDuringShutdown extends RunningApplication.Plain {

		@Bean
		ApplicationListener<ContextClosedEvent> opener(Gate gate) {
			return new Opener(gate);
		}

	}

	private record Opener(Gate gate) implements ApplicationListener<ContextClosedEvent>, Ordered {

		@Override
		public void onApplicationEvent(ContextClosedEvent event) {
			this.gate.onConcluded(Optional.empty());
		}

		/** Before Eureka's registration sets DOWN. */
		@Override
		public int getOrder() {
			return Ordered.HIGHEST_PRECEDENCE;
		}

	}

}
