package dev.warmup.actuate;

import java.util.Optional;

import dev.warmup.WarmupContext;
import dev.warmup.catalog.CatalogSource;
import dev.warmup.gateway.Fleet;
import dev.warmup.proposal.Proposal;
import dev.warmup.run.Runs;
import dev.warmup.service.ConditionalOnGateway;
import dev.warmup.service.ConditionalOnService;
import dev.warmup.service.Gate;
import dev.warmup.service.InternalPaths;
import dev.warmup.service.OwnState;
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
@AutoConfiguration(afterName = { "dev.warmup.service.WarmupServiceAutoConfiguration",
		"dev.warmup.run.WarmupRunAutoConfiguration", "dev.warmup.gateway.WarmupGatewayAutoConfiguration",
		"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
		"org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration",
		"org.springframework.boot.health.autoconfigure.actuate.endpoint.AvailabilityProbesAutoConfiguration" })
public final class WarmupActuateAutoConfiguration {

	/** On meters: {@code true} or {@code false}, for warm-up and users. */
	private static final String TAG = "warmup";

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnService
	@ConditionalOnClass({ WebEndpoint.class, ConditionalOnAvailableEndpoint.class })
	static class EndpointConfiguration {

		@Bean("dev.warmup.endpoint")
		@ConditionalOnBean(Runs.class)
		@ConditionalOnAvailableEndpoint
		WarmupEndpoint endpoint(OwnState state, Gate gate, Runs runs, Proposal proposal, CatalogSource catalogs) {
			return new WarmupEndpoint(state, gate, runs, proposal, catalogs);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnGateway
	@ConditionalOnClass({ GlobalFilter.class, WebEndpoint.class, ConditionalOnAvailableEndpoint.class })
	static class GatewayEndpointConfiguration {

		@Bean("dev.warmup.endpoint")
		@ConditionalOnAvailableEndpoint
		GatewayWarmupEndpoint endpoint(OwnState state, Gate gate, Fleet fleet) {
			return new GatewayWarmupEndpoint(state, gate, fleet);
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
		@Bean("dev.warmup.health")
		@Lazy(false)
		@ConditionalOnMissingBean(name = { "warmupHealthIndicator", "warmupHealthContributor" })
		InitializingBean health(HealthContributorRegistry registry, ObjectProvider<Gate> gate,
				ObjectProvider<OwnState> state) {
			return () -> {
				if (registry.getContributor(ReadinessGroups.MEMBER) == null) {
					HealthIndicator indicator = () -> health(gate, state);
					registry.registerContributor(ReadinessGroups.MEMBER, indicator);
				}
			};
		}

		private static Health health(ObjectProvider<Gate> gates, ObjectProvider<OwnState> state) {
			Gate gate = gates.getIfAvailable();
			if (gate == null) { // warm-up is off
				return Health.up().build();
			}
			Health.Builder health = gate.isOpen() ? Health.up() : Health.outOfService();
			state.ifAvailable((known) -> health.withDetail("phase", known.phase()));
			return health.withDetail("gate", gate.position()).build();
		}

		/** Comes after the one that makes the readiness group. */
		@Bean("dev.warmup.readinessGroup")
		HealthEndpointGroupsPostProcessor readinessGroup(Environment environment) {
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

		@Bean("dev.warmup.runMeters")
		RunMeters runMeters(MeterRegistry registry, OwnState state) {
			return new RunMeters(registry, state);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnGateway
	@ConditionalOnClass({ GlobalFilter.class, MeterRegistry.class })
	@ConditionalOnBean(MeterRegistry.class)
	static class GatewayMeterConfiguration {

		@Bean("dev.warmup.gatewayMeters")
		GatewayMeters gatewayMeters(MeterRegistry registry, Fleet fleet) {
			return new GatewayMeters(registry, fleet);
		}

		/** The tag is always there, as a registry may demand. */
		@Bean("dev.warmup.tagsProvider")
		GatewayTagsProvider tagsProvider() {
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

		@Bean("dev.warmup.tag")
		ObservationFilter tag() {
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

		@Bean("dev.warmup.tag")
		ObservationFilter tag() {
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
