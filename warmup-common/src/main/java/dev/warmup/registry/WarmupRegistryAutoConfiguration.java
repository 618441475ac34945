package dev.warmup.registry;

import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.stream.Stream;

import com.netflix.appinfo.ApplicationInfoManager;
import com.netflix.appinfo.HealthCheckHandler;
import com.netflix.discovery.AbstractDiscoveryClientOptionalArgs;
import com.netflix.discovery.EurekaClient;
import com.netflix.discovery.EurekaClientConfig;
import com.netflix.discovery.shared.transport.jersey.TransportClientFactories;
import dev.warmup.GatewayLocator;
import dev.warmup.protocol.GatePosition;
import dev.warmup.protocol.Instance;
import dev.warmup.service.ConditionalOnGateway;
import dev.warmup.service.ConditionalOnService;
import dev.warmup.service.Gate;
import dev.warmup.service.WarmupProperties;
import dev.warmup.service.WarmupServiceAutoConfiguration;
import io.netty.util.NetUtil;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.availability.ApplicationAvailability;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.cloud.client.serviceregistry.Registration;
import org.springframework.cloud.netflix.eureka.EurekaServiceInstance;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * {@link EnableAutoConfiguration Auto-configuration} of addresses and gateways: what
 * Eureka has of others and of this application, or the gateways that were configured, and
 * what instances announce to them. Nothing is registered that the application does not
 * register.
 */
@AutoConfiguration(after = WarmupServiceAutoConfiguration.class,
		afterName = { "org.springframework.cloud.netflix.eureka.EurekaClientAutoConfiguration",
				"org.springframework.cloud.netflix.eureka.EurekaDiscoveryClientConfiguration",
				"org.springframework.cloud.netflix.eureka.config.DiscoveryClientOptionalArgsConfiguration" })
@ConditionalOnWebApplication
@ConditionalOnBooleanProperty(name = "warmup.enabled", matchIfMissing = true)
public final class WarmupRegistryAutoConfiguration {

	private static final String AUTO_REGISTRATION = "spring.cloud.service-registry.auto-registration.enabled";

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ EurekaClient.class, EurekaServiceInstance.class })
	@ConditionalOnSingleCandidate(EurekaClient.class)
	@ConditionalOnBean(TransportClientFactories.class)
	static class EurekaConfiguration {

		private static final String READS = "dev.warmup.reads";

		/** Its own four threads, since a registry that hangs occupies them. */
		@Bean(name = READS, destroyMethod = "dispose", defaultCandidate = false)
		Scheduler reads() {
			return Schedulers.newBoundedElastic(4, 100, "warmup-registry", 60, true);
		}

		@Bean("dev.warmup.registry")
		EurekaRegistry registry(ObjectProvider<EurekaClient> client, EurekaClientConfig config,
				ObjectProvider<ApplicationInfoManager> self, TransportClientFactories<?> factories,
				ObjectProvider<AbstractDiscoveryClientOptionalArgs<?>> arguments, Environment environment,
				@Qualifier(WarmupServiceAutoConfiguration.CLOCK) Clock clock, @Qualifier(READS) Scheduler scheduler) {
			EurekaServers servers = new EurekaServers(config, () -> self.getObject().getInfo(), factories,
					Optional.ofNullable(arguments.getIfAvailable()), scheduler);
			boolean mayCreateClient = !config.shouldRegisterWithEureka()
					|| environment.getProperty(AUTO_REGISTRATION, Boolean.class, true);
			return new EurekaRegistry(client::getObject, mayCreateClient, servers, clock, scheduler);
		}

		@Bean("dev.warmup.gateways")
		@ConditionalOnService
		@ConditionalOnMissingBean
		GatewayLocator gateways(EurekaRegistry registry, EurekaClientConfig config,
				ObjectProvider<Registration> registrations, WarmupProperties properties, Environment environment) {
			URI url = properties.gateway().url();
			if (url != null) {
				return Gateways.at(url);
			}
			if (!config.shouldRegisterWithEureka()) {
				return Gateways
					.none("eureka.client.register-with-eureka is false, so no gateway can find this instance");
			}
			if (registrations.stream().findAny().isEmpty()) {
				return Gateways.none(AUTO_REGISTRATION + " is false and there is no Registration bean, so the id "
						+ "of this instance in Eureka is unknown");
			}
			String zone = environment.getProperty("eureka.instance.metadata-map.zone",
					environment.getProperty("spring.cloud.loadbalancer.zone", ""));
			return Gateways.inEureka(registry,
					Optional.ofNullable(properties.gateway().serviceId()).filter(StringUtils::hasText), zone);
		}

		@Bean("dev.warmup.eurekaPolicy")
		@ConditionalOnGateway
		EurekaStatus.Policy gatewayPolicy() {
			return EurekaStatus.Policy.UP;
		}

		@Bean("dev.warmup.eurekaStatus")
		@ConditionalOnBooleanProperty(name = { "eureka.client.register-with-eureka", AUTO_REGISTRATION },
				matchIfMissing = true)
		@Primary
		EurekaStatus status(Gate gate, ObjectProvider<EurekaStatus.Policy> gateway, WarmupProperties properties,
				ObjectProvider<ApplicationAvailability> availability, ObjectProvider<HealthCheckHandler> health,
				ConfigurableApplicationContext context) {
			EurekaStatus.Policy policy = gateway
				.getIfAvailable(() -> (properties.gate().onFailure() == GatePosition.CLOSED)
						? EurekaStatus.Policy.STARTING : EurekaStatus.Policy.STARTING_BESIDE_OTHERS);
			return new EurekaStatus(() -> Registered.metadata(policy == EurekaStatus.Policy.UP, basePath(context)),
					gate, policy, context.getEnvironment().containsProperty("eureka.instance.initial-status"),
					() -> availability.stream()
						.allMatch((each) -> each.getReadinessState() == ReadinessState.ACCEPTING_TRAFFIC),
					health, Schedulers.boundedElastic());
		}

	}

	/** In a service without Eureka: what it announces to gateways. */
	@Bean("dev.warmup.announcer")
	@ConditionalOnService
	@ConditionalOnProperty({ "warmup.secret", "warmup.gateway.url" })
	@ConditionalOnMissingBean(Registry.class)
	Announcer announcer(Instance.Source self, WarmupProperties properties, ConfigurableApplicationContext context) {
		Environment environment = context.getEnvironment();
		boolean tls = environment.getProperty("server.ssl.enabled", Boolean.class,
				Stream.of("bundle", "key-store", "certificate")
					.anyMatch((each) -> environment.containsProperty("server.ssl." + each)));
		return new Announcer(properties.sharedSecret(), self, Optional.ofNullable(properties.instance().address()),
				(address) -> {
					int port = environment.getProperty("local.server.port", Integer.class,
							environment.getProperty("server.port", Integer.class, 8080));
					return URI.create((tls ? "https://" : "http://")
							+ NetUtil.toSocketAddressString(new InetSocketAddress(address, port)) + basePath(context));
				}, Clock.tickMinutes(ZoneOffset.UTC));
	}

	@Bean("dev.warmup.fixedGateways")
	@ConditionalOnMissingBean
	GatewayLocator fixedGateways(WarmupProperties properties, ObjectProvider<Announcer> announcer) {
		URI url = properties.gateway().url();
		return (url == null) ? Gateways.none("neither Eureka nor warmup.gateway.url")
				: (announcer.getIfAvailable() != null && "http".equals(url.getScheme())) ? Gateways.resolved(url)
						: Gateways.at(url);
	}

	/** Of a servlet application, its context knows it also in a container of others. */
	private static String basePath(ConfigurableApplicationContext context) {
		String path = StringUtils.hasText(context.getApplicationName()) ? context.getApplicationName()
				: context.getEnvironment().getProperty("spring.webflux.base-path", "");
		String trimmed = StringUtils.trimTrailingCharacter(StringUtils.trimLeadingCharacter(path.strip(), '/'), '/');
		return trimmed.isEmpty() ? "" : "/" + trimmed;
	}

}
