package dev.warmup.autoconfigure;

import org.junit.jupiter.api.Test;

import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroupsPostProcessor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.registry.DefaultHealthContributorRegistry;
import org.springframework.boot.health.registry.HealthContributorRegistry;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class WarmupHealthAutoConfigurationTests {

	private final DefaultHealthContributorRegistry registry = new DefaultHealthContributorRegistry();

	@Test
	void healthIsRegisteredWithoutBeingABeanThatEurekasHealthCheckWouldAsk() {
		with(Warmup.reactiveService()).run((context) -> assertThat(context).doesNotHaveBean(HealthContributor.class)
			.hasBean("warmupReadinessGroup"));
		assertThat(this.registry.getContributor("warmup")).isNotNull();
	}

	@Test
	void gatewayHasItToo() {
		with(Warmup.gateway()).run((context) -> assertThat(this.registry.getContributor("warmup")).isNotNull());
	}

	@Test
	void healthGivesWay() {
		HealthIndicator own = () -> Health.up().build();
		with(Warmup.reactiveService()).withBean("warmupHealthIndicator", HealthIndicator.class, () -> own)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("warmupHealthRegistration"));
		assertThat(this.registry.getContributor("warmup")).isNull();
	}

	@Test
	void readinessGroupGivesWay() {
		HealthEndpointGroupsPostProcessor own = (groups) -> groups;
		with(Warmup.reactiveService())
			.withBean("warmupReadinessGroup", HealthEndpointGroupsPostProcessor.class, () -> own)
			.run((context) -> assertThat(context).getBean(HealthEndpointGroupsPostProcessor.class).isSameAs(own));
	}

	@Test
	void nothingIsThereWithoutHealthOrWhenDisabled() {
		Warmup.reactiveService().run((context) -> assertThat(context).doesNotHaveBean("warmupHealthRegistration"));
		with(Warmup.reactiveService("org.springframework.boot.health.actuate"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("warmupHealthRegistration"));
		with(Warmup.reactiveService()).withPropertyValues("management.health.defaults.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean("warmupReadinessGroup"));
		with(Warmup.reactiveService()).withPropertyValues("warmup.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean("warmupReadinessGroup"));
	}

	private ReactiveWebApplicationContextRunner with(ReactiveWebApplicationContextRunner application) {
		return application.withBean(HealthContributorRegistry.class, () -> this.registry);
	}

}
