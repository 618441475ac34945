package dev.warmup.autoconfigure;

import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

import dev.warmup.ask.Agenda;
import dev.warmup.balance.RoutableInstances;
import dev.warmup.coverage.Coverage;
import dev.warmup.gateway.Admission;
import dev.warmup.gateway.AdmissionFilter;
import dev.warmup.gateway.Fleet;
import dev.warmup.gateway.GatewayDoor;
import dev.warmup.gateway.GatewayListener;
import dev.warmup.gateway.GatewayMeters;
import dev.warmup.gateway.GatewayWarmupEndpoint;
import dev.warmup.gateway.RunReports;
import dev.warmup.gateway.WarmupGlobalFilter;
import dev.warmup.gateway.WarmupTagsProvider;
import dev.warmup.record.InstanceSource;
import dev.warmup.run.Gate;
import dev.warmup.status.StatusReport;
import dev.warmup.steady.JvmReading;
import dev.warmup.steady.Processors;
import dev.warmup.traffic.IdleClock;
import dev.warmup.verify.ClaimVerifier;
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
	WarmupGlobalFilter warmupGlobalFilter(ClaimVerifier verifier, Fleet fleet, IdleClock idleClock,
			ObjectProvider<GatewayListener> listeners, InstanceSource instance) {
		double processors = Processors.available();
		return new WarmupGlobalFilter(verifier, fleet, idleClock, listeners.orderedStream().toList(),
				() -> JvmReading.now(instance.get().instanceId(), processors));
	}

	@Bean
	@ConditionalOnMissingBean
	GatewayDoor warmupGatewayDoor(InstanceSource instance, ClaimVerifier verifier, Fleet fleet,
			ObjectProvider<RoutableInstances> routable, ObjectProvider<GatewayListener> listeners) {
		Optional<RoutableInstances> routes = Optional.ofNullable(routable.getIfAvailable());
		return new GatewayDoor(() -> instance.get().instanceId(), verifier,
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
		GatewayWarmupEndpoint warmupEndpoint(InstanceSource instance, Fleet fleet, Gate gate, IdleClock idleClock,
				ObjectProvider<Agenda> agenda, ObjectProvider<Coverage> coverage) {
			return new GatewayWarmupEndpoint(instance, fleet, gate, () -> Optional.ofNullable(agenda.getIfAvailable())
				.map(Agenda::idle)
				.orElseGet(() -> new StatusReport.Idle(Duration.ZERO, idleClock.lastUserRequest(), Optional.empty())),
					Optional.ofNullable(coverage.getIfAvailable()));
		}

	}

}
