package dev.warmup.autoconfigure;

import com.netflix.discovery.EurekaClient;
import dev.warmup.discovery.EurekaConfiguration;
import dev.warmup.discovery.InstanceMetadata;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.cloud.netflix.eureka.EurekaInstanceConfigBean;
import org.springframework.context.annotation.Import;

/**
 * {@link EnableAutoConfiguration Auto-configuration} of what Eureka holds of this
 * application: metadata in services and gateways, and in services the status STARTING
 * until they are warm.
 */
@AutoConfiguration(after = { WarmupDiscoveryAutoConfiguration.class, WarmupWebAutoConfiguration.class })
@ConditionalOnClass({ EurekaInstanceConfigBean.class, EurekaClient.class })
@ConditionalOnBean(InstanceMetadata.class)
@Import(EurekaConfiguration.class)
public final class WarmupEurekaAutoConfiguration {

}
