package dev.warmup.autoconfigure;

import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.warmup.protocol.IdleSchedule;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.InternalPaths;
import dev.warmup.protocol.MonotonicClock;
import dev.warmup.protocol.UserActivity;
import dev.warmup.protocol.WarmupKey;
import dev.warmup.run.AotCache;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.actuate.endpoint.web.WebServerNamespace;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.cloud.client.serviceregistry.Registration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * {@link EnableAutoConfiguration Auto-configuration} of what services and gateways share:
 * who this application is, and what counts as a user's request.
 */
@AutoConfiguration
@EnableConfigurationProperties(WarmupProperties.class)
public final class WarmupAutoConfiguration {

	private static final Logger logger = LoggerFactory.getLogger(WarmupAutoConfiguration.class);

	@Bean
	AotCache warmupAotCache() {
		return new AotCache();
	}

	@Bean
	UserActivity warmupUserActivity() {
		return new UserActivity(MonotonicClock.system());
	}

	/** Made anew at each start, unless both sides were given a secret. */
	@Bean
	WarmupKey warmupKey(WarmupProperties properties) {
		Clock clock = Clock.systemUTC();
		String secret = properties.token();
		return (secret != null) ? WarmupKey.shared(secret, clock) : WarmupKey.generate(clock);
	}

	@Bean
	IdleSchedule warmupIdleSchedule(WarmupProperties properties) {
		WarmupProperties.Idle idle = properties.idle();
		double jitter = idle.jitter() * ThreadLocalRandom.current().nextDouble();
		return new IdleSchedule(idle.after(), idle.checkEvery(),
				idle.after().plusNanos((long) (idle.after().toNanos() * jitter)));
	}

	@Bean
	@ConditionalOnWebApplication
	@ConditionalOnBooleanProperty(name = "warmup.enabled", matchIfMissing = true)
	static WarmupTimers warmupTimers(ConfigurableListableBeanFactory beans) {
		return new WarmupTimers(beans, List.of("warmupIdleCheck", "warmupGatewayWarmup"));
	}

	/** The process in place of the name that discovery would give. */
	@Bean
	@Primary
	@ConditionalOnMissingClass("org.springframework.cloud.client.serviceregistry.Registration")
	Instance.Source warmupInstanceSource(Environment environment) {
		Instance self = new Instance(serviceName(environment), ManagementFactory.getRuntimeMXBean().getName());
		return () -> self;
	}

	@Bean
	@ConditionalOnMissingBean
	InternalPaths warmupInternalPaths() {
		return new InternalPaths(List.of());
	}

	private static String serviceName(Environment environment) {
		return environment.getProperty("spring.application.name", "application");
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(Registration.class)
	static class DiscoveryConfiguration {

		@Bean
		@Primary
		Instance.Source warmupRegisteredInstanceSource(ObjectProvider<Registration> registrations,
				Environment environment) {
			String service = serviceName(environment);
			String fallback = ManagementFactory.getRuntimeMXBean().getName();
			// each request asks
			Supplier<@Nullable Registration> registration = SingletonSupplier
				.ofNullable(() -> unique(registrations, fallback));
			return () -> new Instance(service,
					Optional.ofNullable(registration.get()).map(Registration::getInstanceId).orElse(fallback));
		}

		private static @Nullable Registration unique(ObjectProvider<Registration> registrations, String fallback) {
			Registration unique = registrations.getIfUnique();
			long count = (unique != null) ? 1 : registrations.stream().count();
			if (count > 1) {
				logger.warn("There are {} registrations and none is the primary one: gateways do not know this "
						+ "instance as {}, and cannot verify its warm-up. Mark the one that they look up as @Primary",
						count, fallback);
			}
			return unique;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(PathMappedEndpoints.class)
	static class ActuatorConfiguration {

		@Bean
		@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
		InternalPaths warmupServletActuatorPaths(ObjectProvider<PathMappedEndpoints> endpoints,
				@Value("${spring.mvc.servlet.path:}") String servletPath) {
			String prefix = StringUtils.trimTrailingCharacter(servletPath, '/');
			return new InternalPaths(
					endpoints.stream().flatMap(ActuatorConfiguration::paths).map(prefix::concat).toList());
		}

		@Bean
		@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
		InternalPaths warmupActuatorPaths(ObjectProvider<PathMappedEndpoints> endpoints) {
			return new InternalPaths(endpoints.stream().flatMap(ActuatorConfiguration::paths).toList());
		}

		/** Those below the base path, and probes at the main port, such as /livez. */
		private static Stream<String> paths(PathMappedEndpoints endpoints) {
			Collection<String> own = endpoints.getBasePath().isEmpty() ? endpoints.getAllPaths()
					: List.of(endpoints.getBasePath());
			Stream<String> additional = endpoints.stream()
				.flatMap((endpoint) -> endpoint.getAdditionalPaths(WebServerNamespace.SERVER).stream())
				.map((path) -> path.startsWith("/") ? path : "/" + path);
			return Stream.concat(own.stream(), additional);
		}

	}

}
