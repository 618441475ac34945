package dev.warmup.autoconfigure;

import java.util.Optional;

import dev.warmup.discovery.DiscoveryConfiguration;
import dev.warmup.discovery.DiscoverySettings;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * {@link EnableAutoConfiguration Auto-configuration} of discovery: what this application
 * publishes of itself, how claims are verified (in Eureka by asking its servers,
 * otherwise by the discovery client there is, or by the secret that was set on both
 * sides), and where a service finds its gateways.
 */
@AutoConfiguration(after = WarmupAutoConfiguration.class,
		afterName = { "org.springframework.cloud.netflix.eureka.EurekaClientAutoConfiguration",
				"org.springframework.cloud.netflix.eureka.config.DiscoveryClientOptionalArgsConfiguration",
				"org.springframework.cloud.client.discovery.composite.CompositeDiscoveryClientAutoConfiguration" })
@ConditionalOnWebApplication
@ConditionalOnBooleanProperty(name = "warmup.enabled", matchIfMissing = true)
@Import(DiscoveryConfiguration.class)
public final class WarmupDiscoveryAutoConfiguration {

	@Bean
	DiscoverySettings warmupDiscoverySettings(WarmupProperties properties) {
		return new DiscoverySettings(properties.gateway().serviceId(), Optional.ofNullable(properties.gateway().url()),
				properties.marks().unsigned() == WarmupProperties.Marks.Unsigned.ACCEPT);
	}

}
