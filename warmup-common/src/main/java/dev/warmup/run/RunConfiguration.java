package dev.warmup.run;

import java.time.Clock;
import java.time.Duration;

import dev.warmup.GatewayLocator;
import dev.warmup.WarmupTask;
import dev.warmup.catalog.CatalogSource;
import dev.warmup.discovery.DiscoverySettings;
import dev.warmup.protocol.Gate;
import dev.warmup.protocol.IdleSchedule;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.Listeners;
import dev.warmup.protocol.MonotonicClock;
import dev.warmup.protocol.UserActivity;
import dev.warmup.protocol.UserReadiness;
import dev.warmup.protocol.WarmupKey;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.availability.ApplicationAvailability;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.reactive.function.client.WebClient;

/** From a trigger to a verdict: the beans of this package. */
@Configuration(proxyBeanMethods = false)
public class RunConfiguration {

	/**
	 * Shorter than a usual server's, so that no request meets a connection being closed.
	 */
	private static final Duration IDLE_CONNECTION = Duration.ofSeconds(5);

	/** As many as {@code warmup.startup.concurrency} may be: none waits for another. */
	private static final int MAX_CONNECTIONS = 500;

	@Bean
	WarmupHttpClient warmupHttpClient() {
		ConnectionProvider connections = ConnectionProvider.builder("warmup")
			.maxConnections(MAX_CONNECTIONS)
			.maxIdleTime(IDLE_CONNECTION)
			.build();
		return new WarmupHttpClient(HttpClient.create(connections), connections);
	}

	@Bean
	WarmupState warmupState(ObjectProvider<RunListener> listeners) {
		return new WarmupState(MonotonicClock.system(), listeners.orderedStream().toList());
	}

	@Bean
	WarmupTasks warmupTasks(ObjectProvider<WarmupTask> tasks) {
		return new WarmupTasks(() -> tasks.orderedStream().toList(), Timing.system());
	}

	@Bean
	WarmupRunner warmupRunner(Instance.Source instance, CatalogSource catalogs, GatewayLocator gateways,
			WarmupTasks tasks, WarmupHttpClient http, WarmupKey key, DiscoverySettings discovery,
			ObjectProvider<RunListener> listeners, WarmupState state, Gate gate,
			ObjectProvider<UserReadiness> readiness, UserActivity users, RunSettings settings) {
		GatewayClient client = new GatewayClient(http.webClient(), key, discovery.gatewayServiceId(),
				Clock.systemUTC());
		GatewayRun.Shared shared = new GatewayRun.Shared(client, new Replayer(http.client(), Schedulers.parallel()),
				new Listeners<>(listeners.orderedStream().toList()), state, settings, Timing.system());
		return new WarmupRunner(instance, catalogs, gateways, tasks, shared, gate,
				() -> Flux.fromIterable(readiness.orderedStream().toList())
					.flatMap(UserReadiness::acceptsUsers)
					.all(Boolean::booleanValue),
				users);
	}

	@Bean
	UserReadiness warmupApplicationReadiness(ObjectProvider<ApplicationAvailability> availability) {
		return () -> Mono.fromSupplier(() -> availability.stream()
			.allMatch((each) -> each.getReadinessState() == ReadinessState.ACCEPTING_TRAFFIC));
	}

	@Bean
	StartupRun warmupStartupRun(WarmupRunner runner, WarmupState state, Gate gate, RunSettings settings) {
		return new StartupRun(runner, state, gate, settings.startupTrigger(), settings.deadline(),
				Schedulers.parallel());
	}

	@Bean
	IdleCheck warmupIdleCheck(WarmupRunner runner, WarmupState state, UserActivity users, IdleSchedule schedule) {
		return new IdleCheck(runner, state, users, schedule, MonotonicClock.system());
	}

	@Bean
	@Order(WarmupTask.ORDER)
	ConnectorTask warmupConnectorTask(WarmupHttpClient http) {
		return new ConnectorTask(http.client());
	}

	/**
	 * Loads what a Reactor Netty client needs before its first request: event loops, name
	 * resolver and native libraries, which the application's own clients share.
	 */
	record ConnectorTask(HttpClient client) implements WarmupTask {

		@Override
		public String name() {
			return "connector";
		}

		@Override
		public Mono<Void> run() {
			return this.client.warmup();
		}

	}

	/**
	 * The client that all warm-up is sent with, apart from the application's own.
	 *
	 * @param connections its pool, closed with the application
	 */
	record WarmupHttpClient(HttpClient client, ConnectionProvider connections) implements AutoCloseable {

		WebClient webClient() {
			return WebClient.builder().clientConnector(new ReactorClientHttpConnector(this.client)).build();
		}

		@Override
		public void close() {
			this.connections.dispose();
		}

	}

}
