package dev.warmup.autoconfigure;

import java.util.Optional;

import dev.warmup.actuate.ReadinessGroups;
import dev.warmup.actuate.WarmupHealthIndicator;
import dev.warmup.protocol.Gate;
import dev.warmup.run.WarmupState;

import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroupsPostProcessor;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.registry.HealthContributorRegistry;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/**
 * {@link EnableAutoConfiguration Auto-configuration} of the health that says whether
 * users may come, in services and gateways, and of its place in the readiness group.
 */
@AutoConfiguration(after = { WarmupAutoConfiguration.class, WarmupTrafficAutoConfiguration.class },
		afterName = {
				"org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration",
				"org.springframework.boot.health.autoconfigure.actuate.endpoint.AvailabilityProbesAutoConfiguration" })
@ConditionalOnClass({ HealthEndpointGroupsPostProcessor.class, HealthContributorRegistry.class })
@ConditionalOnWebApplication
@ConditionalOnBooleanProperty(name = "warmup.enabled", matchIfMissing = true)
@ConditionalOnEnabledHealthIndicator(WarmupHealthIndicator.NAME)
@ConditionalOnBean(HealthContributorRegistry.class)
public final class WarmupHealthAutoConfiguration {

	/**
	 * Not a bean of its own: Eureka's health check asks every such bean, and would
	 * announce a gateway as DOWN that nobody could find then, to warm it.
	 */
	@Bean
	@Lazy(false)
	@ConditionalOnMissingBean(name = { "warmupHealthRegistration", "warmupHealthIndicator", "warmupHealthContributor" })
	InitializingBean warmupHealthRegistration(HealthContributorRegistry registry, Gate gate,
			ObjectProvider<WarmupState> state) {
		WarmupHealthIndicator indicator = new WarmupHealthIndicator(gate,
				() -> Optional.ofNullable(state.getIfAvailable()).map((known) -> known.phase().phase()));
		return () -> registry.registerContributor(WarmupHealthIndicator.NAME, indicator);
	}

	/** Comes after the one that makes the readiness group. */
	@Bean
	@ConditionalOnMissingBean(name = "warmupReadinessGroup")
	HealthEndpointGroupsPostProcessor warmupReadinessGroup(Environment environment) {
		boolean excluded = Binder.get(environment)
			.bind("management.endpoint.health.group.readiness.exclude", Bindable.setOf(String.class))
			.map((names) -> names.contains(WarmupHealthIndicator.NAME))
			.orElse(false);
		return (groups) -> excluded ? groups : new ReadinessGroups(groups);
	}

}
