package dev.warmup.autoconfigure;

import java.util.Optional;

import dev.warmup.GatewayLocator;
import dev.warmup.discovery.DiscoveryGatewayLocator;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * {@link EnableAutoConfiguration Auto-configuration} of the way to the gateways: the one
 * at {@code warmup.gateway.url}, else those that discovery knows.
 */
@AutoConfiguration(after = WarmupAutoConfiguration.class,
		afterName = "org.springframework.cloud.client.discovery.composite.CompositeDiscoveryClientAutoConfiguration")
@ConditionalOnMissingClass(WarmupAutoConfiguration.GATEWAY_CLASS)
@ConditionalOnBooleanProperty(name = "warmup.enabled", matchIfMissing = true)
public final class WarmupLocateAutoConfiguration {

	/**
	 * Without URL and discovery a run says what is missing, and the application goes on.
	 */
	@Bean
	@ConditionalOnMissingBean
	GatewayLocator warmupFixedGatewayLocator(WarmupProperties properties) {
		return fixed(properties).orElseGet(
				() -> GatewayLocator.none("warmup.gateway.url is not set, and there is no discovery client to ask"));
	}

	private static Optional<GatewayLocator> fixed(WarmupProperties properties) {
		return Optional.ofNullable(properties.gateway().url()).map(GatewayLocator::fixed);
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(DiscoveryClient.class)
	@ConditionalOnBean(DiscoveryClient.class)
	static class DiscoveryConfiguration {

		@Bean
		@ConditionalOnMissingBean
		GatewayLocator warmupDiscoveryGatewayLocator(DiscoveryClient discovery, WarmupProperties properties) {
			return fixed(properties)
				.orElseGet(() -> new DiscoveryGatewayLocator(discovery, properties.gateway().serviceId()));
		}

	}

}
