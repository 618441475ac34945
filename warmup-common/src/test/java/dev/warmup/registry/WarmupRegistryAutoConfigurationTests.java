package dev.warmup.registry;

import java.time.Duration;
import java.util.stream.Stream;

import dev.warmup.Contexts;
import dev.warmup.Gateway;
import dev.warmup.GatewayLocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.cloud.autoconfigure.RefreshAutoConfiguration;
import org.springframework.cloud.client.serviceregistry.AutoServiceRegistrationAutoConfiguration;
import org.springframework.cloud.commons.util.UtilAutoConfiguration;
import org.springframework.cloud.netflix.eureka.EurekaClientAutoConfiguration;
import org.springframework.cloud.netflix.eureka.EurekaDiscoveryClientConfiguration;
import org.springframework.cloud.netflix.eureka.config.DiscoveryClientOptionalArgsConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/** What there is with Eureka's client and without; nothing here reaches a server. */
class WarmupRegistryAutoConfigurationTests {

	private static final String URL = "warmup.gateway.url=http://gateway:8000";

	private final ReactiveWebApplicationContextRunner withEureka = eureka(Contexts.reactiveService());

	private static ReactiveWebApplicationContextRunner eureka(ReactiveWebApplicationContextRunner application) {
		return application
			.withConfiguration(AutoConfigurations.of(UtilAutoConfiguration.class, RefreshAutoConfiguration.class,
					EurekaClientAutoConfiguration.class, EurekaDiscoveryClientConfiguration.class,
					DiscoveryClientOptionalArgsConfiguration.class, AutoServiceRegistrationAutoConfiguration.class))
			.withPropertyValues("eureka.client.jersey.enabled=false", "eureka.client.fetch-registry=false",
					"server.port=0");
	}

	@ParameterizedTest
	@CsvSource({ "'', gateways in Eureka, true", "warmup.gateway.service-id=edge, edge, true",
			"warmup.gateway.url=http://gateway:8000, http://gateway:8000, true",
			"eureka.client.register-with-eureka=false, register-with-eureka, false",
			"spring.cloud.service-registry.auto-registration.enabled=false, auto-registration, false" })
	void gatewaysAreFoundInEurekaUnlessOneIsConfiguredOrNoneCouldFindThisInstance(String property, String description,
			boolean available) {
		this.withEureka.withPropertyValues(property.isEmpty() ? "a=b" : property)
			.run((context) -> assertThat(context).hasNotFailed()
				.getBean(GatewayLocator.class)
				.returns(available, GatewayLocator::isAvailable)
				.extracting(GatewayLocator::description)
				.asString()
				.contains(description));
	}

	@Test
	void withoutEurekaThereIsOnlyTheGatewayThatIsConfigured() {
		for (ReactiveWebApplicationContextRunner bare : new ReactiveWebApplicationContextRunner[] {
				Contexts.reactiveService(), Contexts.reactiveService("com.netflix", "org.springframework.cloud") }) {
			bare.run((context) -> {
				assertThat(context).hasNotFailed().doesNotHaveBean(Registry.class);
				assertThat(context.getBean(GatewayLocator.class).isAvailable()).isFalse();
			});
			bare.withPropertyValues(URL)
				.run((context) -> assertThat(
						context.getBean(GatewayLocator.class).locate().block(Duration.ofSeconds(30)))
					.extracting(Gateway::id)
					.containsExactly("http://gateway:8000"));
		}
	}

	@Test
	void gatewayHasTheRegistryAndIsNotToldToLookForGateways() {
		eureka(Contexts.gateway()).run((context) -> assertThat(context).hasNotFailed()
			.hasSingleBean(Registry.class)
			.hasSingleBean(EurekaStatus.class)
			.doesNotHaveBean(GatewayLocator.class));
	}

	@Test
	void locatorOfTheApplicationReplacesTheLibrarys() {
		GatewayLocator own = mock(GatewayLocator.class);
		Stream.of(this.withEureka, Contexts.reactiveService())
			.forEach((each) -> each.withBean("own", GatewayLocator.class, () -> own)
				.run((context) -> assertThat(context).getBean(GatewayLocator.class).isSameAs(own)));
	}

	@Test
	void nothingIsThereWhereWarmupIsOff() {
		this.withEureka.withPropertyValues("warmup.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(Registry.class)
				.doesNotHaveBean(EurekaStatus.class)
				.doesNotHaveBean(GatewayLocator.class));
	}

}
