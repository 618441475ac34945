package dev.warmup.autoconfigure;

import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

import com.netflix.discovery.EurekaClient;
import dev.warmup.GateOpened;
import dev.warmup.gateway.EurekaRegistryFetch;
import dev.warmup.gateway.Fleet;
import dev.warmup.gateway.GatewayReadiness;
import dev.warmup.gateway.GatewayWarmup;
import dev.warmup.gateway.GatewayWarmupSchedule;
import dev.warmup.gateway.InstanceWarmupClient;
import dev.warmup.gateway.RegistryFetch;
import dev.warmup.gateway.ServiceWarmup;
import dev.warmup.gateway.WarmableServices;
import dev.warmup.protocol.Gate;
import dev.warmup.protocol.IdleSchedule;
import dev.warmup.protocol.InstanceSource;
import dev.warmup.protocol.UserActivity;
import dev.warmup.protocol.WarmupToken;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.client.HttpClient;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.netflix.eureka.EurekaClientConfigBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * {@link EnableAutoConfiguration Auto-configuration} of a gateway that has its services
 * warm it, where there is discovery to find them in.
 */
@AutoConfiguration(after = WarmupAutoConfiguration.class,
		before = { WarmupTrafficAutoConfiguration.class, TaskSchedulingAutoConfiguration.class },
		afterName = "org.springframework.cloud.client.discovery.composite.CompositeDiscoveryClientAutoConfiguration")
@ConditionalOnClass({ GlobalFilter.class, DiscoveryClient.class })
@ConditionalOnBean(DiscoveryClient.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnBooleanProperty(name = "warmup.enabled", matchIfMissing = true)
@EnableScheduling
public final class WarmupAskAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	Gate warmupGatewayGate(WarmupProperties properties, ApplicationEventPublisher events) {
		return new Gate(properties.gate().enabled(), properties.gate().onFailure(),
				() -> events.publishEvent(new GateOpened()));
	}

	@Bean
	IdleSchedule warmupIdleSchedule(WarmupProperties properties) {
		WarmupProperties.Idle idle = properties.idle();
		return new IdleSchedule(idle.after(), idle.checkEvery(), idle.jitter());
	}

	@Bean
	@ConditionalOnMissingBean
	GatewayWarmupSchedule warmupAgenda(Fleet fleet, UserActivity idleClock, IdleSchedule schedule) {
		return new GatewayWarmupSchedule(fleet, idleClock, schedule, Clock.systemUTC(),
				() -> ThreadLocalRandom.current().nextDouble());
	}

	@Bean
	@ConditionalOnMissingBean
	WarmableServices warmupDirectory(DiscoveryClient discovery, ObjectProvider<RegistryFetch> fetches,
			InstanceSource self) {
		return new WarmableServices(discovery, fetches.orderedStream().toList(), self);
	}

	/** Without a pool: it is needed a few times at start, and then hardly ever. */
	@Bean
	@ConditionalOnMissingBean
	InstanceWarmupClient warmupAsker(InstanceSource self, WarmupToken token) {
		return new InstanceWarmupClient(
				WebClient.builder().clientConnector(new ReactorClientHttpConnector(HttpClient.newConnection())).build(),
				self, token);
	}

	@Bean
	@ConditionalOnMissingBean
	ServiceWarmup warmupAsking(InstanceWarmupClient asker, Fleet fleet, GatewayWarmupSchedule agenda,
			WarmupProperties properties) {
		return new ServiceWarmup(asker, fleet, agenda, properties.startup().budget(), Schedulers.parallel());
	}

	@Bean
	@ConditionalOnMissingBean
	GatewayReadiness warmupReadiness(Gate gate, GatewayWarmupSchedule agenda, InstanceSource self,
			WarmupProperties properties) {
		return new GatewayReadiness(gate, agenda, self, properties.startup().budget(), Clock.systemUTC());
	}

	@Bean
	@ConditionalOnMissingBean
	GatewayWarmup warmupGatewayWarmup(WarmableServices directory, GatewayWarmupSchedule agenda, ServiceWarmup asking,
			GatewayReadiness readiness) {
		return new GatewayWarmup(directory, agenda, asking, readiness, Schedulers.parallel());
	}

	/** Eureka's client answers that there are no services until it has heard of some. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ EurekaClient.class, EurekaClientConfigBean.class })
	static class EurekaConfiguration {

		@Bean
		@ConditionalOnMissingBean
		RegistryFetch warmupEurekaFetch(ObjectProvider<EurekaClient> clients) {
			return new EurekaRegistryFetch(() -> Optional.ofNullable(clients.getIfUnique()));
		}

	}

}
