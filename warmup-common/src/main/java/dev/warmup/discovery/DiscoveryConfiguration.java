package dev.warmup.discovery;

import java.net.URL;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

import com.netflix.discovery.AbstractDiscoveryClientOptionalArgs;
import com.netflix.discovery.EurekaClient;
import com.netflix.discovery.shared.transport.jersey.TransportClientFactories;
import dev.warmup.Gateway;
import dev.warmup.GatewayLocator;
import dev.warmup.protocol.ConditionalOnService;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.MonotonicClock;
import dev.warmup.protocol.WarmupKey;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.cloud.client.discovery.event.InstancePreRegisteredEvent;
import org.springframework.cloud.netflix.eureka.EurekaServiceInstance;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/** Finds and verifies instances: the beans of this package. */
@Configuration(proxyBeanMethods = false)
public class DiscoveryConfiguration {

	/** The name of the scheduler on which reading discovery may block. */
	public static final String DISCOVERY = "warmupDiscovery";

	private static final String LOOKUPS = "warmupLookups";

	private static final int THREADS = 4;

	private static final int QUEUED = 100;

	/**
	 * The scheduler on which look-ups of single instances may block. It is separate: a
	 * registry that hangs occupies its threads, and lists that a client has in memory
	 * must not wait for these.
	 */
	@Bean(name = LOOKUPS, destroyMethod = "dispose", defaultCandidate = false)
	Scheduler warmupLookups() {
		return Schedulers.newBoundedElastic(THREADS, QUEUED, "warmup-lookup", 60, true);
	}

	/** The scheduler on which reading the lists of discovery may block. */
	@Bean(name = DISCOVERY, destroyMethod = "dispose", defaultCandidate = false)
	Scheduler warmupDiscovery() {
		return Schedulers.newBoundedElastic(THREADS, QUEUED, "warmup-discovery", 60, true);
	}

	/** By what instances publish, where there is a registry, and by a shared secret. */
	@Bean
	@Primary
	ClaimVerifier warmupClaimVerifier(ObjectProvider<InstanceLookup> lookups, WarmupKey key, Instance.Source self) {
		// a key of this instance alone is published, and that of a shared secret is not
		Optional<WarmupKey> shared = Optional.of(key).filter((each) -> each.jwk().isEmpty());
		InstanceLookup lookup = lookups.getIfAvailable();
		return (lookup != null && hasRegistry(lookup))
				? new RegistryClaimVerifier(lookup, shared, self, Clock.systemUTC(), MonotonicClock.system())
				: ClaimVerifier.shared(shared, self, Clock.systemUTC());
	}

	@Bean
	@ConditionalOnService
	@ConditionalOnMissingBean
	GatewayLocator warmupFixedGatewayLocator(DiscoverySettings settings) {
		return fixed(settings).orElse(Fixed.NONE);
	}

	private static boolean hasRegistry(InstanceLookup lookup) {
		return !(lookup instanceof DiscoveryInstanceLookup discovery) || discovery.hasRegistry();
	}

	private static Optional<GatewayLocator> fixed(DiscoverySettings settings) {
		return settings.gatewayUrl().map((uri) -> new Fixed(List.of(new Gateway(uri.toString(), uri)), uri.toString()));
	}

	/** Ahead of the one for any discovery client, which Eureka has as well. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ EurekaClient.class, EurekaServiceInstance.class })
	@ConditionalOnBean({ EurekaClient.class, TransportClientFactories.class })
	@Order(1)
	static class EurekaConfiguration {

		@Bean
		@ConditionalOnMissingBean(InstanceLookup.class)
		EurekaInstanceLookup warmupEurekaInstanceLookup(EurekaClient eureka, TransportClientFactories<?> factories,
				ObjectProvider<AbstractDiscoveryClientOptionalArgs<?>> arguments,
				@Qualifier(LOOKUPS) Scheduler scheduler) {
			return new EurekaInstanceLookup(eureka, factories, Optional.ofNullable(arguments.getIfAvailable()),
					scheduler);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(DiscoveryClient.class)
	@ConditionalOnBean(DiscoveryClient.class)
	@Order(2)
	static class ClientConfiguration {

		@Bean
		@ConditionalOnMissingBean
		InstanceLookup warmupInstanceLookup(DiscoveryClient discovery, @Qualifier(LOOKUPS) Scheduler scheduler) {
			return new DiscoveryInstanceLookup(discovery, MonotonicClock.system(), scheduler);
		}

		@Bean
		@ConditionalOnService
		@ConditionalOnMissingBean
		GatewayLocator warmupDiscoveryGatewayLocator(DiscoveryClient discovery, InstanceLookup lookup,
				DiscoverySettings settings, Environment environment, @Qualifier(DISCOVERY) Scheduler scheduler) {
			String zone = environment.getProperty("eureka.instance.metadata-map.zone",
					environment.getProperty("spring.cloud.loadbalancer.zone", ""));
			return fixed(settings).orElseGet(() -> hasRegistry(lookup)
					? new DiscoveryGatewayLocator(discovery, lookup, settings.gatewayServiceId(), zone, scheduler)
					: Fixed.NONE);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(InstancePreRegisteredEvent.class)
	static class RegistrationConfiguration {

		@Bean
		@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
		MetadataPublisher warmupReactiveMetadataPublisher(WarmupKey key, Environment environment) {
			return new MetadataPublisher(key, environment.getProperty("spring.webflux.base-path", ""));
		}

		@Bean
		@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
		MetadataPublisher warmupServletMetadataPublisher(WarmupKey key, Environment environment) {
			return new MetadataPublisher(key, environment.getProperty("server.servlet.context-path", ""));
		}

	}

	/** Always finds the same gateways. */
	record Fixed(List<Gateway> gateways, String description) implements GatewayLocator {

		/** There is neither a URL nor discovery. */
		static final Fixed NONE = new Fixed(List.of(), "none");

		@Override
		public boolean isAvailable() {
			return !this.gateways.isEmpty();
		}

		@Override
		public Mono<List<Gateway>> locate() {
			return Mono.just(this.gateways);
		}

	}

}
