package dev.warmup.gateway;

import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

import dev.warmup.discovery.ClaimVerifier;
import dev.warmup.discovery.DiscoveryConfiguration;
import dev.warmup.discovery.InstanceLookup;
import dev.warmup.loadbalancer.RoutableInstances;
import dev.warmup.protocol.ConditionalOnGateway;
import dev.warmup.protocol.Gate;
import dev.warmup.protocol.IdleSchedule;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.MonotonicClock;
import dev.warmup.protocol.UserActivity;
import dev.warmup.protocol.WarmupKey;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.client.HttpClient;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.reactive.function.client.WebClient;

/** The filters of a gateway, and the runs that warm the gateway itself. */
@Configuration(proxyBeanMethods = false)
public class GatewayConfiguration {

	/** Stays where warming is off: it may be on in services. */
	@Bean
	ClosedPathsFilter warmupClosedPathsFilter() {
		return new ClosedPathsFilter();
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnGateway
	static class WarmupConfiguration {

		/** One thread, which may block; a line waits for those before it. */
		@Bean(destroyMethod = "dispose", defaultCandidate = false)
		Scheduler warmupLog() {
			return Schedulers.newBoundedElastic(1, Integer.MAX_VALUE, "warmup-log", 60, true);
		}

		@Bean
		Fleet warmupFleet(@Qualifier("warmupLog") Scheduler log) {
			return new Fleet(MonotonicClock.system(), log::schedule);
		}

		@Bean
		WarmupGlobalFilter warmupGlobalFilter(ClaimVerifier verifier, Fleet fleet, UserActivity users,
				ObjectProvider<GatewayListener> listeners, Instance.Source instance, WarmupKey key) {
			return new WarmupGlobalFilter(verifier, fleet, users, listeners.orderedStream().toList(), instance, key);
		}

		@Bean
		ProtocolFilter warmupProtocolFilter(Instance.Source instance, ClaimVerifier verifier, Fleet fleet,
				ObjectProvider<RoutableInstances> routable, ObjectProvider<InstanceLookup> lookup,
				ObjectProvider<GatewayListener> listeners) {
			Optional<RoutableInstances> routes = Optional.ofNullable(routable.getIfAvailable());
			RunReports reports = new RunReports(fleet, routes, Optional.ofNullable(lookup.getIfAvailable()),
					listeners.orderedStream().toList());
			return new ProtocolFilter(instance, verifier, fleet, reports, routes, Clock.systemUTC());
		}

		@Bean
		Admission warmupAdmission(Settings settings) {
			return new Admission(settings.maxConcurrent(), Schedulers.parallel());
		}

		@Bean
		AdmissionFilter warmupAdmissionFilter(Admission admission, ObjectProvider<GatewayListener> listeners) {
			return new AdmissionFilter(admission, listeners.orderedStream().toList());
		}

		@Bean
		Routing.ClaimHeader warmupClaimHeader() {
			return new Routing.ClaimHeader();
		}

		@Bean
		static BypassPostProcessor warmupBypass() {
			return new BypassPostProcessor();
		}

	}

	/** Runs that warm the gateway itself, where there is discovery. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnGateway
	@ConditionalOnClass(DiscoveryClient.class)
	@ConditionalOnBean(DiscoveryClient.class)
	static class OwnWarmupConfiguration {

		@Bean
		GatewayWarmupSchedule warmupGatewaySchedule(Fleet fleet, UserActivity users, IdleSchedule schedule) {
			return new GatewayWarmupSchedule(fleet, users, schedule, MonotonicClock.system());
		}

		/** Reaches services by the client of the routes, with its TLS and proxy. */
		@Bean
		GatewayWarmup warmupGatewayWarmup(DiscoveryClient discovery, InstanceLookup lookup, Instance.Source self,
				WarmupKey key, Fleet fleet, GatewayWarmupSchedule schedule, Gate gate, Settings settings,
				ObjectProvider<HttpClient> routes, @Qualifier(DiscoveryConfiguration.DISCOVERY) Scheduler scheduler) {
			WebClient client = WebClient.builder()
				.clientConnector(new ReactorClientHttpConnector(routes.getIfUnique(HttpClient::newConnection)))
				.build();
			return new GatewayWarmup(new WarmingServices(discovery, lookup, client, self, key, scheduler), fleet,
					schedule, gate, self, settings.budget(), MonotonicClock.system(), Schedulers.parallel());
		}

	}

	/**
	 * How much a gateway lets through, and how long it warms itself.
	 *
	 * @param maxConcurrent how many warm-up requests may be in flight at once, at least 1
	 * @param budget the time that services may take to warm a starting gateway
	 */
	public record Settings(int maxConcurrent, Duration budget) {

	}

}
