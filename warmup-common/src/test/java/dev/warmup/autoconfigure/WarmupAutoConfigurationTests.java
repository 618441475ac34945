package dev.warmup.autoconfigure;

import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.util.List;

import dev.warmup.protocol.Instance;
import dev.warmup.protocol.InstanceSource;
import dev.warmup.protocol.InternalPaths;
import dev.warmup.protocol.UserActivity;
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
			.hasSingleBean(UserActivity.class)
			.hasSingleBean(InternalPaths.class)
			.doesNotHaveBean("warmupRunner")
			.doesNotHaveBean("warmupFleet"));
	}

	@Test
	void idleClockGivesWay() {
		UserActivity own = new UserActivity(Clock.systemUTC());
		this.application.withBean(UserActivity.class, () -> own)
			.run((context) -> assertThat(context).getBean(UserActivity.class).isSameAs(own));
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
			.run((context) -> assertThat(context.getBean(InternalPaths.class).prefixes()).containsExactly("/actuator"));
	}

	@Test
	void eachEndpointIsNoUsersTrafficWhereActuatorHasNoBasePath() {
		this.application.withBean(PathMappedEndpoints.class, () -> endpoints(""))
			.run((context) -> assertThat(context.getBean(InternalPaths.class).prefixes()).containsExactly("/info"));
	}

	@Test
	void onlyTheLibrarysPathsAreOwnTrafficWithoutActuator() {
		this.application.withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate")).run((context) -> {
			InternalPaths own = context.getBean(InternalPaths.class);
			assertThat(own.covers("/actuator/health")).isFalse();
			assertThat(own.covers("/.warmup/ready")).isTrue();
		});
	}

	@Test
	void ownTrafficGivesWay() {
		InternalPaths own = new InternalPaths(List.of("/probe"));
		this.application.withBean(PathMappedEndpoints.class, () -> endpoints("/actuator"))
			.withBean(InternalPaths.class, () -> own)
			.run((context) -> assertThat(context).getBean(InternalPaths.class).isSameAs(own));
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
