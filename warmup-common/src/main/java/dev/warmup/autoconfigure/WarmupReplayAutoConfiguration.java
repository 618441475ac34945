package dev.warmup.autoconfigure;

import java.time.Clock;
import java.time.Duration;
import java.util.List;

import dev.warmup.catalog.CatalogReader;
import dev.warmup.catalog.CatalogSource;
import dev.warmup.catalog.FileCatalogSource;
import dev.warmup.locate.GatewayLocator;
import dev.warmup.record.InstanceSource;
import dev.warmup.replay.Replayer;
import dev.warmup.replay.WebClientReplayer;
import dev.warmup.report.Reporter;
import dev.warmup.report.WebClientReporter;
import dev.warmup.run.Gate;
import dev.warmup.run.Passage;
import dev.warmup.run.RunListener;
import dev.warmup.run.RunSettings;
import dev.warmup.run.StartupRun;
import dev.warmup.run.WarmupRunner;
import dev.warmup.run.WarmupState;
import dev.warmup.status.RunLog;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.core.io.Resource;
import org.springframework.core.io.ResourceLoader;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * {@link EnableAutoConfiguration Auto-configuration} of runs in a service, not in a
 * gateway; each bean but the client that sends gives way to the application's own.
 */
@AutoConfiguration(after = { WarmupAutoConfiguration.class, WarmupLocateAutoConfiguration.class })
@ConditionalOnWebApplication
@ConditionalOnMissingClass(WarmupAutoConfiguration.GATEWAY_CLASS)
@ConditionalOnBooleanProperty(name = "warmup.enabled", matchIfMissing = true)
public final class WarmupReplayAutoConfiguration {

	/**
	 * Shorter than a usual server's, so that no request meets a connection being closed.
	 */
	private static final Duration IDLE_CONNECTION = Duration.ofSeconds(5);

	@Bean
	@ConditionalOnMissingBean
	CatalogSource warmupCatalogSource(WarmupProperties properties, ResourceLoader resources) {
		Resource catalog = resources.getResource(properties.catalog());
		return properties.catalog().equals(WarmupProperties.DEFAULT_CATALOG)
				? FileCatalogSource.optional(catalog, new CatalogReader())
				: FileCatalogSource.required(catalog, new CatalogReader());
	}

	@Bean
	WarmupHttpClient warmupHttpClient() {
		ConnectionProvider connections = ConnectionProvider.builder("warmup").maxIdleTime(IDLE_CONNECTION).build();
		return new WarmupHttpClient(HttpClient.create(connections), connections);
	}

	@Bean
	@ConditionalOnMissingBean
	Replayer warmupReplayer(WarmupHttpClient client) {
		return new WebClientReplayer(client.http());
	}

	@Bean
	@ConditionalOnMissingBean
	Reporter warmupReporter(WarmupHttpClient client) {
		return new WebClientReporter(
				WebClient.builder().clientConnector(new ReactorClientHttpConnector(client.http())).build());
	}

	@Bean
	@ConditionalOnMissingBean
	Gate warmupGate(WarmupProperties properties) {
		return new Gate(properties.gate().enabled(), properties.gate().onFailure());
	}

	@Bean
	@ConditionalOnMissingBean
	RunLog warmupRunLog(InstanceSource instance) {
		return new RunLog(instance);
	}

	@Bean
	@ConditionalOnMissingBean
	WarmupState warmupState(ObjectProvider<RunListener> listeners) {
		return new WarmupState(Clock.systemUTC(), listeners.orderedStream().toList());
	}

	@Bean
	@ConditionalOnMissingBean
	WarmupRunner warmupRunner(InstanceSource instance, CatalogSource catalogs, GatewayLocator gateways,
			Replayer replayer, Reporter reporter, WarmupProperties properties, WarmupState state,
			ObjectProvider<RunListener> listeners) {
		WarmupProperties.Startup startup = properties.startup();
		RunSettings settings = new RunSettings(startup.budget(), startup.minRepetitions());
		List<RunListener> told = listeners.orderedStream().toList();
		Passage passage = new Passage(replayer, reporter, startup.concurrency(), told, state, Clock.systemUTC(),
				Schedulers.parallel());
		return new WarmupRunner(instance, catalogs, gateways, passage, settings, state, Clock.systemUTC(),
				Schedulers.parallel(), System::nanoTime);
	}

	@Bean
	@ConditionalOnMissingBean
	StartupRun warmupStartupRun(WarmupRunner runner, WarmupState state) {
		return new StartupRun(runner, state, Schedulers.parallel());
	}

	/**
	 * The client that all warm-up is sent with, apart from the application's own.
	 *
	 * @param http the client
	 * @param connections its pool, closed with the application
	 */
	record WarmupHttpClient(HttpClient http, ConnectionProvider connections) implements AutoCloseable {

		@Override
		public void close() {
			this.connections.dispose();
		}

	}

}
