package dev.warmup.autoconfigure;

import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.util.List;

import dev.warmup.record.Instance;
import dev.warmup.record.InstanceSource;
import dev.warmup.traffic.IdleClock;
import dev.warmup.traffic.OwnTraffic;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.ExposableEndpoint;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoint;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cloud.client.serviceregistry.Registration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.withSettings;

class WarmupAutoConfigurationTests {

	private static final String PROCESS = ManagementFactory.getRuntimeMXBean().getName();

	private final ApplicationContextRunner application = new ApplicationContextRunner()
		.withConfiguration(Warmup.autoConfigurations());

	@Test
	void applicationWithoutWebServerIsOnlyToldWhoItIs() {
		this.application.run((context) -> assertThat(context).hasNotFailed()
			.hasSingleBean(InstanceSource.class)
			.hasSingleBean(IdleClock.class)
			.hasSingleBean(OwnTraffic.class)
			.doesNotHaveBean("warmupRunner")
			.doesNotHaveBean("warmupFleet"));
	}

	@Test
	void idleClockGivesWay() {
		IdleClock own = new IdleClock(Clock.systemUTC());
		this.application.withBean(IdleClock.class, () -> own)
			.run((context) -> assertThat(context).getBean(IdleClock.class).isSameAs(own));
	}

	@Test
	void instanceIsNamedAsInDiscovery() {
		this.application.withPropertyValues("spring.application.name=chat-service")
			.withBean(Registration.class, WarmupAutoConfigurationTests::registration)
			.run((context) -> assertThat(context.getBean(InstanceSource.class).get())
				.isEqualTo(new Instance("chat-service", "chat-1")));
	}

	@Test
	void instanceIsNamedAfterItsProcessWithoutRegistration() {
		this.application.withPropertyValues("spring.application.name=chat-service")
			.run((context) -> assertThat(context.getBean(InstanceSource.class).get())
				.isEqualTo(new Instance("chat-service", PROCESS)));
	}

	@Test
	void instanceIsNamedAfterItsProcessWithoutSpringCloud() {
		this.application.withClassLoader(new FilteredClassLoader("org.springframework.cloud"))
			.run((context) -> assertThat(context.getBean(InstanceSource.class).get())
				.isEqualTo(new Instance("application", PROCESS)));
	}

	@Test
	void instanceSourceGivesWay() {
		InstanceSource own = () -> new Instance("mine", "mine-1");
		this.application.withBean(Registration.class, WarmupAutoConfigurationTests::registration)
			.withBean(InstanceSource.class, () -> own)
			.run((context) -> assertThat(context).getBean(InstanceSource.class).isSameAs(own));
	}

	@Test
	void actuatorIsNoUsersTraffic() {
		this.application.withBean(PathMappedEndpoints.class, () -> endpoints("/actuator"))
			.run((context) -> assertThat(context.getBean(OwnTraffic.class).prefixes()).containsExactly("/actuator"));
	}

	@Test
	void eachEndpointIsNoUsersTrafficWhereActuatorHasNoBasePath() {
		this.application.withBean(PathMappedEndpoints.class, () -> endpoints(""))
			.run((context) -> assertThat(context.getBean(OwnTraffic.class).prefixes()).containsExactly("/info"));
	}

	@Test
	void onlyTheLibrarysPathsAreOwnTrafficWithoutActuator() {
		this.application.withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate")).run((context) -> {
			OwnTraffic own = context.getBean(OwnTraffic.class);
			assertThat(own.covers("/actuator/health")).isFalse();
			assertThat(own.covers("/.warmup/ready")).isTrue();
		});
	}

	@Test
	void ownTrafficGivesWay() {
		OwnTraffic own = new OwnTraffic(List.of("/probe"));
		this.application.withBean(PathMappedEndpoints.class, () -> endpoints("/actuator"))
			.withBean(OwnTraffic.class, () -> own)
			.run((context) -> assertThat(context).getBean(OwnTraffic.class).isSameAs(own));
	}

	private static Registration registration() {
		Registration registration = mock(Registration.class);
		given(registration.getInstanceId()).willReturn("chat-1");
		return registration;
	}

	private static PathMappedEndpoints endpoints(String basePath) {
		ExposableEndpoint<?> info = mock(ExposableEndpoint.class,
				withSettings().extraInterfaces(PathMappedEndpoint.class));
		given(info.getEndpointId()).willReturn(EndpointId.of("info"));
		given(((PathMappedEndpoint) info).getRootPath()).willReturn("info");
		return new PathMappedEndpoints(basePath, () -> List.of(info));
	}

}
