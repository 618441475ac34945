package dev.warmup.service;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.warmup.Contexts;
import dev.warmup.protocol.Instance;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.AbstractApplicationContextRunner;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.cloud.client.serviceregistry.Registration;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.DefaultResourceLoader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Named.named;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/** Which part an application plays, and what it can do without. */
class WarmupServiceAutoConfigurationTests {

	private final ReactiveWebApplicationContextRunner service = Contexts.reactiveService();

	static Stream<Named<AbstractApplicationContextRunner<?, ?, ?>>> services() {
		return Stream.of(named("reactive", Contexts.reactiveService()), named("servlet", Contexts.servletService()),
				named("reactive, gateway on the class path but off",
						Contexts.gateway().withPropertyValues("spring.cloud.gateway.server.webflux.enabled=false")),
				named("servlet, gateway on the class path",
						new WebApplicationContextRunner().withConfiguration(Contexts.autoConfigurations())));
	}

	static Stream<Named<AbstractApplicationContextRunner<?, ?, ?>>> applications() {
		return Stream.concat(services(), Stream.of(named("gateway", Contexts.gateway())));
	}

	@ParameterizedTest
	@MethodSource("services")
	void serviceIsOneOnEitherStackAndClosedAtFirst(AbstractApplicationContextRunner<?, ?, ?> each) {
		each.run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBean(WarmupRequests.class).isGateway()).isFalse();
			assertThat(context.getBean(Gate.class).isOpen()).isFalse();
		});
	}

	@ParameterizedTest
	@MethodSource("applications")
	void gateIsOpenFromTheStartWhereItOrWarmupIsOff(AbstractApplicationContextRunner<?, ?, ?> each) {
		Stream.of("warmup.enabled=false", "warmup.gate.enabled=false")
			.forEach((off) -> each.withPropertyValues(off)
				.run((context) -> assertThat(context.getBean(Gate.class).isOpen()).isTrue()));
	}

	/** Spring Cloud Function would bind it, or no longer bind the application's own. */
	@ParameterizedTest
	@MethodSource("applications")
	void noBeanIsAFunctionAndNoneHasANameThatAnApplicationWouldUse(AbstractApplicationContextRunner<?, ?, ?> each) {
		each.run((context) -> {
			assertThat(context).hasNotFailed()
				.doesNotHaveBean(Supplier.class)
				.doesNotHaveBean(Function.class)
				.doesNotHaveBean(Consumer.class);
			assertThat(context.getBeanDefinitionNames()).filteredOn((name) -> name.contains("warmup"))
				.allMatch((name) -> name.startsWith("dev.warmup.") || name.startsWith("warmup-dev.warmup."));
		});
	}

	@Test
	void applicationWithoutWebServerHasNothing() {
		new ApplicationContextRunner().withConfiguration(Contexts.autoConfigurations())
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(Gate.class));
	}

	@ParameterizedTest
	@ValueSource(strings = { "org.springframework.boot.actuate", "org.springframework.boot.health",
			"io.micrometer.context", "org.springframework.cloud", "com.netflix", "jakarta.servlet" })
	void applicationsDoWithout(String hidden) {
		Contexts.reactiveService(hidden)
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(WarmupWebFilter.class));
		if (!hidden.equals("jakarta.servlet")) {
			Contexts.servletService(hidden)
				.run((context) -> assertThat(context).hasNotFailed().hasBean("dev.warmup.servletFilter"));
		}
		if (!hidden.equals("org.springframework.cloud")) {
			Contexts.gateway()
				.withClassLoader(new FilteredClassLoader(hidden))
				.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(WarmupWebFilter.class));
		}
	}

	@Test
	void instanceIsNamedAsInTheRegistryByThePrimaryRegistrationOfSeveral() {
		Registration registration = registration("Order.Service", "host:order:1");
		ReactiveWebApplicationContextRunner one = this.service.withPropertyValues("spring.application.name=other")
			.withBean("one", Registration.class, () -> registration, (definition) -> definition.setPrimary(true));
		Stream.of(one, one.withBean("other", Registration.class, () -> registration("a", "b")))
			.forEach((each) -> each.run((context) -> assertThat(context.getBean(OwnState.class).instance())
				.isEqualTo(new Instance("order.service", "host:order:1"))));
	}

	@ParameterizedTest
	@CsvSource({ "Chat, chat", "'', application", "' ', application" })
	void withoutRegistrationItIsNamedByTheProcessAndNeverEmpty(String name, String service) {
		this.service.withPropertyValues("spring.application.name=" + name)
			.run((context) -> assertThat(context.getBean(OwnState.class).instance()).satisfies((instance) -> {
				assertThat(instance.service()).isEqualTo(service);
				assertThat(instance.instanceId()).startsWith(ProcessHandle.current().pid() + "@");
			}));
	}

	private static Registration registration(String service, String id) {
		Registration registration = mock(Registration.class);
		given(registration.getServiceId()).willReturn(service);
		given(registration.getInstanceId()).willReturn(id);
		return registration;
	}

	@Test
	void actuatorAtTheApplicationsPortIsNoUsersTraffic() {
		PathMappedEndpoints endpoints = mock(PathMappedEndpoints.class);
		given(endpoints.getBasePath()).willReturn("/manage");
		this.service.withBean(PathMappedEndpoints.class, () -> endpoints)
			.run((context) -> assertThat(context.getBean(InternalPaths.class).prefixes()).containsExactly("/manage"));
		Contexts.servletService()
			.withBean(PathMappedEndpoints.class, () -> endpoints)
			.withPropertyValues("spring.mvc.servlet.path=/api")
			.run((context) -> assertThat(context.getBean(InternalPaths.class).prefixes())
				.containsExactly("/api/manage"));
	}

	@Test
	void usersPathsStayUsersWhereTheActuatorHasThemAtAPortOfItsOwn() {
		PathMappedEndpoints endpoints = mock(PathMappedEndpoints.class);
		given(endpoints.getBasePath()).willReturn("");
		given(endpoints.getAllPaths()).willReturn(List.of("/info", "/sessions"));
		this.service.withBean(PathMappedEndpoints.class, () -> endpoints)
			.withPropertyValues("server.port=8080", "management.server.port=8081")
			.run((context) -> assertThat(context.getBean(InternalPaths.class).covers("/info")).isFalse());
		this.service.withBean(PathMappedEndpoints.class, () -> endpoints)
			.run((context) -> assertThat(context.getBean(InternalPaths.class).covers("/info")).isTrue());
	}

	/** Reactor's clients only where the application asks for them, or has them itself. */
	@ParameterizedTest
	@CsvSource({ "SERVLET, org.apache.hc;org.springframework.boot.webflux, jdk", "SERVLET, org.apache.hc,",
			"SERVLET, org.springframework.boot.webflux,", "REACTIVE, org.apache.hc;org.springframework.boot.webflux," })
	void servletApplicationsHttpClientStaysWhatItWas(WebApplicationType type, String hidden, String factory) {
		SpringApplication application = new SpringApplication(
				new DefaultResourceLoader(new FilteredClassLoader(hidden.split(";"))), Object.class);
		application.setWebApplicationType(type);
		StandardEnvironment environment = new StandardEnvironment();
		new JdkHttpClients().postProcessEnvironment(environment, application);
		assertThat(environment.getProperty("spring.http.clients.imperative.factory")).isEqualTo(factory);
	}

}
