package dev.warmup.autoconfigure;

import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

import dev.warmup.actuate.GatewayMeters;
import dev.warmup.actuate.GatewayWarmupEndpoint;
import dev.warmup.actuate.WarmupTagsProvider;
import dev.warmup.discovery.ClaimVerifier;
import dev.warmup.gateway.Admission;
import dev.warmup.gateway.AdmissionFilter;
import dev.warmup.gateway.Fleet;
import dev.warmup.gateway.GatewayListener;
import dev.warmup.gateway.GatewayWarmupSchedule;
import dev.warmup.gateway.ProtocolFilter;
import dev.warmup.gateway.RunReports;
import dev.warmup.gateway.WarmupGlobalFilter;
import dev.warmup.insight.Coverage;
import dev.warmup.loadbalancer.RoutableInstances;
import dev.warmup.protocol.Gate;
import dev.warmup.protocol.IdleStatus;
import dev.warmup.protocol.InstanceSource;
import dev.warmup.protocol.JvmReading;
import dev.warmup.protocol.UserActivity;
import dev.warmup.run.Processors;
import io.micrometer.core.instrument.MeterRegistry;
import reactor.core.scheduler.Schedulers;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * {@link EnableAutoConfiguration Auto-configuration} of the gateway's part, in a reactive
 * Spring Cloud Gateway.
 */
@AutoConfiguration(
		after = { WarmupAutoConfiguration.class, WarmupTrafficAutoConfiguration.class,
				WarmupVerifyAutoConfiguration.class },
		afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnClass(GlobalFilter.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnBooleanProperty(name = "warmup.enabled", matchIfMissing = true)
public final class WarmupGatewayAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	Fleet warmupFleet() {
		return new Fleet(Clock.systemUTC());
	}

	@Bean
	@ConditionalOnMissingBean
	WarmupGlobalFilter warmupGlobalFilter(ClaimVerifier verifier, Fleet fleet, UserActivity idleClock,
			ObjectProvider<GatewayListener> listeners, InstanceSource instance) {
		double processors = Processors.available();
		return new WarmupGlobalFilter(verifier, fleet, idleClock, listeners.orderedStream().toList(),
				() -> JvmReading.now(instance.get().instanceId(), processors));
	}

	@Bean
	@ConditionalOnMissingBean
	ProtocolFilter warmupGatewayDoor(InstanceSource instance, ClaimVerifier verifier, Fleet fleet,
			ObjectProvider<RoutableInstances> routable, ObjectProvider<GatewayListener> listeners) {
		Optional<RoutableInstances> routes = Optional.ofNullable(routable.getIfAvailable());
		return new ProtocolFilter(() -> instance.get().instanceId(), verifier,
				new RunReports(fleet, routes, listeners.orderedStream().toList()), routes);
	}

	@Bean
	@ConditionalOnMissingBean
	Admission warmupAdmission(WarmupProperties properties) {
		return new Admission(properties.admission().limit(), Schedulers.parallel());
	}

	@Bean
	@ConditionalOnMissingBean
	AdmissionFilter warmupAdmissionFilter(Admission admission, ObjectProvider<GatewayListener> listeners) {
		return new AdmissionFilter(admission, listeners.orderedStream().toList());
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterRegistry.class)
	@ConditionalOnBean(MeterRegistry.class)
	static class MeterConfiguration {

		@Bean
		@ConditionalOnMissingBean
		GatewayMeters warmupGatewayMeters(MeterRegistry registry) {
			return new GatewayMeters(registry);
		}

		@Bean
		@ConditionalOnMissingBean
		WarmupTagsProvider warmupTagsProvider() {
			return new WarmupTagsProvider();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ WebEndpoint.class, ConditionalOnAvailableEndpoint.class })
	static class EndpointConfiguration {

		@Bean
		@ConditionalOnAvailableEndpoint
		@ConditionalOnMissingBean
		GatewayWarmupEndpoint warmupEndpoint(InstanceSource instance, Fleet fleet, Gate gate, UserActivity idleClock,
				ObjectProvider<GatewayWarmupSchedule> agenda, ObjectProvider<Coverage> coverage) {
			return new GatewayWarmupEndpoint(instance, fleet, gate,
					() -> Optional.ofNullable(agenda.getIfAvailable())
						.map(GatewayWarmupSchedule::idle)
						.orElseGet(() -> new IdleStatus(Duration.ZERO, idleClock.lastUserRequest(), Optional.empty())),
					Optional.ofNullable(coverage.getIfAvailable()));
		}

	}

}
