package dev.warmup.autoconfigure;

import dev.warmup.discovery.InstanceMetadata;
import dev.warmup.discovery.MetadataPublisher;
import dev.warmup.protocol.WarmupToken;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.cloud.client.discovery.event.InstancePreRegisteredEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * {@link EnableAutoConfiguration Auto-configuration} of what services and gateways
 * publish in discovery, whichever it is.
 */
@AutoConfiguration(after = WarmupAutoConfiguration.class)
@ConditionalOnClass(InstancePreRegisteredEvent.class)
@ConditionalOnWebApplication
@ConditionalOnBooleanProperty(name = "warmup.enabled", matchIfMissing = true)
public final class WarmupRegistrationAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	MetadataPublisher warmupMetadataPublisher(InstanceMetadata metadata, WarmupProperties properties) {
		return new MetadataPublisher(metadata, properties.token() != null);
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
	static class ReactiveConfiguration {

		@Bean
		@ConditionalOnMissingBean
		InstanceMetadata warmupInstanceMetadata(WarmupToken token, Environment environment) {
			return InstanceMetadata.of(token, environment.getProperty("spring.webflux.base-path", ""));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	static class ServletConfiguration {

		@Bean
		@ConditionalOnMissingBean
		InstanceMetadata warmupInstanceMetadata(WarmupToken token, Environment environment) {
			return InstanceMetadata.of(token, environment.getProperty("server.servlet.context-path", ""));
		}

	}

}
