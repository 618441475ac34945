package dev.warmup.autoconfigure;

import dev.warmup.actuate.ActuateConfiguration;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Import;

/**
 * {@link EnableAutoConfiguration Auto-configuration} of endpoints, health, and meters, in
 * services and gateways.
 */
@AutoConfiguration(
		after = { WarmupRunAutoConfiguration.class, WarmupGatewayAutoConfiguration.class,
				WarmupWebAutoConfiguration.class, WarmupInsightAutoConfiguration.class },
		afterName = {
				"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
				"org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration",
				"org.springframework.boot.health.autoconfigure.actuate.endpoint.AvailabilityProbesAutoConfiguration" })
@ConditionalOnBooleanProperty(name = "warmup.enabled", matchIfMissing = true)
@Import(ActuateConfiguration.class)
public final class WarmupActuateAutoConfiguration {

}
