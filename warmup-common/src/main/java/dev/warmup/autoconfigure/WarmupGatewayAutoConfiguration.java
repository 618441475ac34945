package dev.warmup.autoconfigure;

import dev.warmup.GateOpened;
import dev.warmup.Gateway;
import dev.warmup.gateway.GatewayConfiguration;
import dev.warmup.loadbalancer.LoadBalancerConfiguration;
import dev.warmup.protocol.ConditionalOnGateway;
import dev.warmup.protocol.Gate;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * {@link EnableAutoConfiguration Auto-configuration} of a reactive Spring Cloud Gateway:
 * its filters, its load balancers (warm-up goes to its claimant, users to instances that
 * take them), and the runs that it requests from services to be warmed itself. Where
 * warming is off, only the paths of the library stay closed.
 */
@AutoConfiguration(after = WarmupDiscoveryAutoConfiguration.class,
		afterName = { "org.springframework.cloud.gateway.discovery.GatewayDiscoveryClientAutoConfiguration",
				"org.springframework.cloud.gateway.config.GatewayAutoConfiguration",
				"org.springframework.cloud.gateway.config.GatewayMetricsAutoConfiguration" })
@Conditional(ConditionalOnGateway.GatewayCondition.class)
@ConditionalOnClass(GlobalFilter.class)
@Import(GatewayConfiguration.class)
public final class WarmupGatewayAutoConfiguration {

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnGateway
	@Import(LoadBalancerConfiguration.class)
	static class WarmupConfiguration {

		@Bean
		GatewayConfiguration.Settings warmupGatewaySettings(WarmupProperties properties) {
			return new GatewayConfiguration.Settings(properties.admission().limit(), properties.startup().budget());
		}

		@Bean
		LoadBalancerConfiguration.Settings warmupShareSettings(WarmupProperties properties) {
			return new LoadBalancerConfiguration.Settings(properties.ramp().window());
		}

	}

	/**
	 * Closed at first where there is discovery to find services in. It opens whatever the
	 * runs come to: one service's stale catalog must not close a gateway to all others.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnGateway
	@ConditionalOnClass(DiscoveryClient.class)
	@ConditionalOnBean(DiscoveryClient.class)
	static class GateConfiguration {

		@Bean
		Gate warmupGatewayGate(WarmupProperties properties, ApplicationEventPublisher events) {
			return new Gate(properties.gate().enabled(), Gate.Position.OPEN,
					() -> events.publishEvent(new GateOpened()));
		}

	}

}
