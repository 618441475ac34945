package dev.warmup.actuate;

import java.time.Duration;
import java.util.Optional;

import dev.warmup.WarmupContext;
import dev.warmup.gateway.Fleet;
import dev.warmup.gateway.GatewayWarmupSchedule;
import dev.warmup.loadbalancer.UserShares;
import dev.warmup.protocol.ConditionalOnGateway;
import dev.warmup.protocol.ConditionalOnService;
import dev.warmup.protocol.Gate;
import dev.warmup.protocol.IdleSchedule;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.InternalPaths;
import dev.warmup.protocol.UserActivity;
import dev.warmup.run.IdleCheck;
import dev.warmup.run.WarmupRunner;
import dev.warmup.run.WarmupState;
import io.micrometer.common.KeyValue;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationFilter;
import jakarta.servlet.http.HttpServletRequest;

import org.springframework.beans.factory.InitializingBean;
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
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroupsPostProcessor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.registry.HealthContributorRegistry;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.gateway.support.tagsprovider.GatewayTagsProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.observation.ServerRequestObservationContext;
import org.springframework.web.util.UrlPathHelper;

/**
 * {@link EnableAutoConfiguration Auto-configuration} of endpoints, health, and meters, in
 * services and gateways. With {@code warmup.enabled=false}, or without a web server, only
 * of health: Spring Boot does not start an application whose health groups name an
 * indicator that is missing.
 */
@AutoConfiguration(afterName = { "dev.warmup.autoconfigure.WarmupRunAutoConfiguration",
		"dev.warmup.autoconfigure.WarmupGatewayAutoConfiguration",
		"dev.warmup.autoconfigure.WarmupWebAutoConfiguration",
		"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
		"org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration",
		"org.springframework.boot.health.autoconfigure.actuate.endpoint.AvailabilityProbesAutoConfiguration" })
public final class WarmupActuateAutoConfiguration {

	/** On meters: {@code true} or {@code false}, for warm-up and users. */
	private static final String TAG = "warmup";

	@Bean
	@ConditionalOnService
	RunLog warmupRunLog(Instance.Source instance) {
		return new RunLog(instance);
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnService
	@ConditionalOnClass({ WebEndpoint.class, ConditionalOnAvailableEndpoint.class })
	static class EndpointConfiguration {

		@Bean
		@ConditionalOnAvailableEndpoint
		WarmupEndpoint warmupEndpoint(Instance.Source instance, WarmupState state, Gate gate, WarmupRunner runner,
				IdleCheck idleCheck) {
			return new WarmupEndpoint(instance, state, gate, runner, idleCheck, System::nanoTime);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnGateway
	@ConditionalOnClass({ GlobalFilter.class, WebEndpoint.class, ConditionalOnAvailableEndpoint.class })
	static class GatewayEndpointConfiguration {

		@Bean
		@ConditionalOnAvailableEndpoint
		GatewayWarmupEndpoint warmupEndpoint(Instance.Source instance, Fleet fleet, Gate gate, UserActivity users,
				ObjectProvider<GatewayWarmupSchedule> schedule) {
			return new GatewayWarmupEndpoint(instance, fleet, gate, () -> Optional.ofNullable(schedule.getIfAvailable())
				.map(GatewayWarmupSchedule::idle)
				.orElseGet(() -> new IdleSchedule.Status(Duration.ZERO, users.lastUserRequest(), Optional.empty())));
		}

	}

	/**
	 * Whether users may come, and the place of that in the readiness group. As the state
	 * of readiness itself, it stays where {@code management.health.defaults.enabled} is
	 * {@code false}.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty(name = "management.health.warmup.enabled", matchIfMissing = true)
	@ConditionalOnClass({ HealthEndpointGroupsPostProcessor.class, HealthContributorRegistry.class })
	@ConditionalOnBean(HealthContributorRegistry.class)
	static class HealthConfiguration {

		/**
		 * UP when the gate is open, OUT_OF_SERVICE before. Not a bean of its own:
		 * Eureka's health check asks every such bean, and would announce a gateway as
		 * DOWN, which then could not be found to be warmed. One of the application's own
		 * with this name stays.
		 */
		@Bean
		@Lazy(false)
		@ConditionalOnMissingBean(name = { "warmupHealthIndicator", "warmupHealthContributor" })
		InitializingBean warmupHealthRegistration(HealthContributorRegistry registry, ObjectProvider<Gate> gates,
				ObjectProvider<WarmupState> state) {
			return () -> {
				if (registry.getContributor(ReadinessGroups.MEMBER) == null) {
					Gate gate = gates.getIfAvailable(Gate::open);
					HealthIndicator indicator = () -> health(gate, state);
					registry.registerContributor(ReadinessGroups.MEMBER, indicator);
				}
			};
		}

		private static Health health(Gate gate, ObjectProvider<WarmupState> state) {
			Health.Builder health = gate.isOpen() ? Health.up() : Health.outOfService();
			state.ifAvailable((known) -> health.withDetail("phase", known.phase().phase()));
			return health.withDetail("gate", gate.position()).build();
		}

		/** Comes after the one that makes the readiness group. */
		@Bean
		HealthEndpointGroupsPostProcessor warmupReadinessGroup(Environment environment) {
			boolean excluded = Binder.get(environment)
				.bind("management.endpoint.health.group.readiness.exclude", Bindable.setOf(String.class))
				.map((names) -> names.contains(ReadinessGroups.MEMBER))
				.orElse(false);
			return (groups) -> excluded ? groups : new ReadinessGroups(groups);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnService
	@ConditionalOnClass(MeterRegistry.class)
	@ConditionalOnBean(MeterRegistry.class)
	static class RunMeterConfiguration {

		@Bean
		RunMeters warmupRunMeters(MeterRegistry registry) {
			return new RunMeters(registry);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnGateway
	@ConditionalOnClass({ GlobalFilter.class, MeterRegistry.class })
	@ConditionalOnBean(MeterRegistry.class)
	static class GatewayMeterConfiguration {

		@Bean
		GatewayMeters warmupGatewayMeters(MeterRegistry registry, ObjectProvider<UserShares> shares) {
			return new GatewayMeters(registry, Optional.ofNullable(shares.getIfAvailable()));
		}

		/** The tag is always there, as a registry may demand. */
		@Bean
		GatewayTagsProvider warmupTagsProvider() {
			return (exchange) -> Tags.of(TAG,
					String.valueOf(exchange.getAttributes().containsKey(WarmupContext.ATTRIBUTE)));
		}

	}

	/**
	 * Tags an observation, and its trace, if it is of warm-up, as synthetic traffic by
	 * OpenTelemetry's attribute.
	 */
	private static Observation.Context tagged(Observation.Context context, boolean warmup) {
		context.addLowCardinalityKeyValue(KeyValue.of(TAG, String.valueOf(warmup)));
		if (warmup) {
			context.addHighCardinalityKeyValue(KeyValue.of("user_agent.synthetic.type", "test"));
		}
		return context;
	}

	/**
	 * Tags the observations of requests to the application. Those to the library's own
	 * paths are no users' either.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty(name = "warmup.enabled", matchIfMissing = true)
	@ConditionalOnClass({ ObservationFilter.class, ServerHttpRequest.class })
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
	static class ReactiveObservationConfiguration {

		@Bean
		ObservationFilter warmupReactiveTag() {
			return (context) -> (context instanceof ServerRequestObservationContext request)
					? tagged(context, isWarmup(request)) : context;
		}

		private static boolean isWarmup(ServerRequestObservationContext request) {
			return request.getAttributes().containsKey(WarmupContext.ATTRIBUTE)
					|| Optional.ofNullable(request.getCarrier())
						.map((carrier) -> carrier.getPath().pathWithinApplication().value())
						.filter(InternalPaths::isOfTheLibrary)
						.isPresent();
		}

	}

	/** The same for servlet applications. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty(name = "warmup.enabled", matchIfMissing = true)
	@ConditionalOnClass({ ObservationFilter.class, HttpServletRequest.class })
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	static class ServletObservationConfiguration {

		@Bean
		ObservationFilter warmupServletTag() {
			return (context) -> (context instanceof org.springframework.http.server.observation.ServerRequestObservationContext request)
					? tagged(context,
							Optional.ofNullable(request.getCarrier())
								.filter(ServletObservationConfiguration::isWarmup)
								.isPresent())
					: context;
		}

		private static boolean isWarmup(HttpServletRequest request) {
			return request.getAttribute(WarmupContext.ATTRIBUTE) != null
					|| InternalPaths.isOfTheLibrary(UrlPathHelper.defaultInstance.getPathWithinApplication(request));
		}

	}

}
