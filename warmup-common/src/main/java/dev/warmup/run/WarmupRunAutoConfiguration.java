package dev.warmup.run;

import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.warmup.GatewayLocator;
import dev.warmup.WarmupClientCustomizer;
import dev.warmup.WarmupTask;
import dev.warmup.catalog.Catalog;
import dev.warmup.catalog.CatalogSource;
import dev.warmup.catalog.InvalidCatalogException;
import dev.warmup.protocol.GatePosition;
import dev.warmup.registry.Announcer;
import dev.warmup.registry.Registered;
import dev.warmup.registry.Registry;
import dev.warmup.service.ConditionalOnGateway;
import dev.warmup.service.ConditionalOnService;
import dev.warmup.service.Gate;
import dev.warmup.service.OwnState;
import dev.warmup.service.UserActivity;
import dev.warmup.service.WarmupProperties;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.ConnectionFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.http.client.HttpClientSettings;
import org.springframework.boot.http.client.ReactorHttpClientBuilder;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.core.io.Resource;
import org.springframework.core.io.ResourceLoader;
import org.springframework.util.StringUtils;

/**
 * {@link EnableAutoConfiguration Auto-configuration} of runs: the catalog, the tasks, and
 * in a service what starts them; in a gateway the runs through its own endpoints.
 */
@AutoConfiguration(afterName = { "dev.warmup.service.WarmupServiceAutoConfiguration",
		"dev.warmup.registry.WarmupRegistryAutoConfiguration" })
@ConditionalOnWebApplication
@ConditionalOnBooleanProperty(name = "warmup.enabled", matchIfMissing = true)
public final class WarmupRunAutoConfiguration {

	private static final Logger logger = LoggerFactory.getLogger(WarmupRunAutoConfiguration.class);

	@Bean("dev.warmup.catalogSource")
	@ConditionalOnService
	@ConditionalOnMissingBean
	CatalogSource catalogSource(WarmupProperties properties, ResourceLoader resources) {
		Resource catalog = resources.getResource(properties.catalog());
		return properties.catalog().equals(WarmupProperties.DEFAULT_CATALOG) ? CatalogSource.optional(catalog)
				: CatalogSource.required(catalog);
	}

	/** One that is broken does not stop a gateway: it may be meant for services alone. */
	@Bean("dev.warmup.gatewaysCatalogSource")
	@ConditionalOnGateway
	@ConditionalOnMissingBean
	CatalogSource gatewaysCatalogSource(WarmupProperties properties, ResourceLoader resources) {
		try {
			return catalogSource(properties, resources);
		}
		catch (InvalidCatalogException ex) {
			logger.warn("No endpoint of this gateway is warmed. {}", ex.getMessage());
			return () -> Catalog.empty(properties.catalog());
		}
	}

	/** All warm-up's own pool; closes idle connections before a usual server does. */
	@Bean(name = "dev.warmup.connections", destroyMethod = "dispose", defaultCandidate = false)
	ConnectionProvider connections() {
		return ConnectionProvider.builder("warmup").maxIdleTime(Duration.ofSeconds(5)).build();
	}

	@Bean("dev.warmup.runParts")
	RunParts runParts(WarmupProperties properties, OwnState state, Gate gate, UserActivity users,
			CatalogSource catalogs, ObjectProvider<FindingsSource> findings, ObjectProvider<WarmupTask> tasks,
			GatewayLocator gateways, ObjectProvider<WarmupClientCustomizer> customizers,
			ObjectProvider<Announcer> announcer, @Qualifier("dev.warmup.connections") ConnectionProvider connections,
			ObjectProvider<HttpClientSettings> clients, ApplicationEventPublisher events,
			@Qualifier("dev.warmup.clock") Clock clock) {
		WarmupProperties.Startup startup = properties.startup();
		RunParts.Settings settings = new RunParts.Settings(startup.budget(), startup.deadline(),
				startup.minRepetitions(), startup.trigger(), properties.steady().tolerance(),
				properties.steady().window(), properties.gate().onFailure() == GatePosition.OPEN);
		SslBundle tls = clients.getIfUnique(HttpClientSettings::defaults).sslBundle();
		GatewayClient client = new GatewayClient(httpClient(connections, tls), customizers.orderedStream().toList(),
				Optional.ofNullable(announcer.getIfAvailable()), clock, Schedulers.parallel());
		return new RunParts(settings, state, gate, users, catalogs,
				findings.getIfAvailable(() -> (catalog) -> Optional.empty()),
				new WarmupTasks(() -> tasks.orderedStream().toList(), Schedulers.parallel()), gateways, client,
				new News(state, gate, gateways, client, Schedulers.parallel()), events, clock, Schedulers.parallel());
	}

	/**
	 * Trusts and presents what the application's own clients do, but has no timeout or
	 * proxy of theirs.
	 */
	private static HttpClient httpClient(ConnectionProvider connections, @Nullable SslBundle tls) {
		return new ReactorHttpClientBuilder().withHttpClientFactory(() -> HttpClient.create(connections))
			.withHttpClientCustomizer((client) -> client.compress(false).noProxy())
			.build(HttpClientSettings.ofSslBundle(tls));
	}

	@Bean("dev.warmup.runs")
	@ConditionalOnService
	Runs runs(RunParts parts, WarmupProperties properties) {
		return new Runs(parts, properties.idle().after(), properties.idle().withJitter());
	}

	@Bean("dev.warmup.startupRun")
	@ConditionalOnService
	StartupRun startupRun(RunParts parts, Runs runs, ApplicationContext context) {
		return new StartupRun(parts, runs, context);
	}

	@Bean("dev.warmup.idleTimer")
	@ConditionalOnService
	IdleTimer idleTimer(Runs runs) {
		return new IdleTimer(runs);
	}

	@Bean("dev.warmup.wantedRuns")
	@ConditionalOnService
	WantedByGateways wantedRuns(RunParts parts, Runs runs, ObjectProvider<Registry> registry) {
		return new WantedByGateways(parts, runs, Optional.ofNullable(registry.getIfAvailable()));
	}

	/** By the registered address, which fits its certificate, or else a local one. */
	@Bean("dev.warmup.ownEndpoints")
	@ConditionalOnGateway
	OwnEndpointsRun ownEndpoints(RunParts parts, ObjectProvider<Registry> registry, Environment environment) {
		return new OwnEndpointsRun(parts,
				() -> Optional.ofNullable(registry.getIfAvailable())
					.flatMap((copy) -> copy.known(parts.state().instance().instanceId()))
					.map(Registered::base)
					.orElseGet(() -> local(environment)));
	}

	private static URI local(Environment environment) {
		String address = environment.getProperty("server.address", "localhost");
		return URI.create("http://%s:%s/%s".formatted(address.contains(":") ? "[" + address + "]" : address,
				environment.getProperty("local.server.port"), StringUtils
					.trimLeadingCharacter(environment.getProperty("spring.webflux.base-path", "").strip(), '/')));
	}

	/**
	 * The singletons of a type that exist by now; creates none: a lazy one may never be
	 * needed, and may not work.
	 */
	private static <T> Supplier<List<T>> existing(ConfigurableListableBeanFactory beans, Class<T> type) {
		return () -> Arrays.stream(beans.getBeanNamesForType(type, false, false))
			.filter(beans::containsSingleton)
			.map((name) -> beans.getBean(name, type))
			.toList();
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnService
	@ConditionalOnClass(HikariDataSource.class)
	static class HikariConfiguration {

		@Bean("dev.warmup.hikariTask")
		@Order(WarmupTask.ORDER)
		HikariTask hikariTask(ConfigurableListableBeanFactory beans) {
			return new HikariTask(existing(beans, DataSource.class));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnService
	@ConditionalOnClass(ConnectionPool.class)
	static class R2dbcConfiguration {

		@Bean("dev.warmup.r2dbcTask")
		@Order(WarmupTask.ORDER)
		R2dbcTask r2dbcTask(ConfigurableListableBeanFactory beans) {
			return new R2dbcTask(existing(beans, ConnectionFactory.class));
		}

	}

}
