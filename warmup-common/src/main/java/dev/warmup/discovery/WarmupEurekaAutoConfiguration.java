package dev.warmup.discovery;

import com.netflix.discovery.EurekaClient;
import dev.warmup.protocol.ConditionalOnService;
import dev.warmup.protocol.Gate;
import dev.warmup.protocol.UserReadiness;
import reactor.core.scheduler.Schedulers;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.cloud.netflix.eureka.EurekaInstanceConfigBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * {@link EnableAutoConfiguration Auto-configuration} of what Eureka holds of this
 * application: metadata in services and gateways, and in services the status STARTING
 * until they are warm.
 */
@AutoConfiguration(afterName = { "dev.warmup.autoconfigure.WarmupDiscoveryAutoConfiguration",
		"dev.warmup.autoconfigure.WarmupWebAutoConfiguration" })
@ConditionalOnClass({ EurekaInstanceConfigBean.class, EurekaClient.class })
@ConditionalOnBean(MetadataPublisher.class)
public final class WarmupEurekaAutoConfiguration {

	@Bean
	static EurekaPostProcessor warmupEurekaPostProcessor(ObjectProvider<MetadataPublisher> metadata,
			ObjectProvider<EurekaGate> gate) {
		return new EurekaPostProcessor(metadata, gate);
	}

	/** An application that registers itself also manages its status. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnService
	@ConditionalOnBooleanProperty(name = "spring.cloud.service-registry.auto-registration.enabled",
			matchIfMissing = true)
	static class GateConfiguration {

		@Bean
		EurekaGate warmupEurekaGate(Gate gate, ConfigurableApplicationContext context,
				ObjectProvider<EurekaInstanceConfigBean> config, ObjectProvider<EurekaClient> client) {
			Binder binder = Binder.get(context.getEnvironment());
			return new EurekaGate(gate::isOpen,
					() -> binder.bind("eureka.instance.initial-status", String.class).isBound(), context::isClosed,
					config, client, Schedulers.boundedElastic());
		}

		@Bean
		UserReadiness warmupEurekaReadiness(EurekaGate gate) {
			return gate::isUp;
		}

	}

}
