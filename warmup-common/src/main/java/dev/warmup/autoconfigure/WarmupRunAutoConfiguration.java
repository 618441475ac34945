package dev.warmup.autoconfigure;

import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.warmup.GateOpened;
import dev.warmup.GatewayLocator;
import dev.warmup.WarmupTask;
import dev.warmup.catalog.CatalogReader;
import dev.warmup.catalog.CatalogSource;
import dev.warmup.catalog.FileCatalogSource;
import dev.warmup.protocol.Gate;
import dev.warmup.protocol.IdleSchedule;
import dev.warmup.protocol.InstanceSource;
import dev.warmup.protocol.UserActivity;
import dev.warmup.protocol.WarmupToken;
import dev.warmup.run.GatewayClient;
import dev.warmup.run.IdleCheck;
import dev.warmup.run.Replayer;
import dev.warmup.run.RunListener;
import dev.warmup.run.RunSettings;
import dev.warmup.run.ShutdownNotifier;
import dev.warmup.run.StartupRun;
import dev.warmup.run.SteadyCriteria;
import dev.warmup.run.Timing;
import dev.warmup.run.WarmupRunner;
import dev.warmup.run.WarmupState;
import dev.warmup.run.WarmupTasks;
import dev.warmup.task.ConnectorTask;
import dev.warmup.task.DnsTask;
import dev.warmup.task.ExecutorTask;
import dev.warmup.task.HikariTask;
import dev.warmup.task.R2dbcTask;
import dev.warmup.task.ReactiveRedisTask;
import dev.warmup.task.RedisTask;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.ConnectionFactory;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.core.io.Resource;
import org.springframework.core.io.ResourceLoader;
import org.springframework.data.redis.connection.ReactiveRedisConnectionFactory;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * {@link EnableAutoConfiguration Auto-configuration} of runs in a service: the client
 * they send with, the tasks before them, the gate, and what starts them.
 */
@AutoConfiguration(after = WarmupDiscoveryAutoConfiguration.class)
@ConditionalOnService
public final class WarmupRunAutoConfiguration {

	/**
	 * Shorter than a usual server's, so that no request meets a connection being closed.
	 */
	private static final Duration IDLE_CONNECTION = Duration.ofSeconds(5);

	/** An application's own tasks come later, unless it orders them before. */
	private static final int TASK_ORDER = 0;

	@Bean
	WarmupHttpClient warmupHttpClient() {
		ConnectionProvider connections = ConnectionProvider.builder("warmup").maxIdleTime(IDLE_CONNECTION).build();
		return new WarmupHttpClient(HttpClient.create(connections), connections);
	}

	@Bean
	@ConditionalOnMissingBean
	CatalogSource warmupCatalogSource(WarmupProperties properties, ResourceLoader resources) {
		Resource catalog = resources.getResource(properties.catalog());
		return properties.catalog().equals(WarmupProperties.DEFAULT_CATALOG)
				? FileCatalogSource.optional(catalog, new CatalogReader())
				: FileCatalogSource.required(catalog, new CatalogReader());
	}

	@Bean
	Gate warmupGate(WarmupProperties properties, ApplicationEventPublisher events) {
		return new Gate(properties.gate().enabled(), properties.gate().onFailure(),
				() -> events.publishEvent(new GateOpened()));
	}

	@Bean
	Replayer warmupReplayer(WarmupHttpClient client) {
		return new Replayer(client.http());
	}

	@Bean
	GatewayClient warmupGatewayClient(WarmupHttpClient client, WarmupToken token) {
		return new GatewayClient(client.webClient(), token);
	}

	@Bean
	WarmupState warmupState(ObjectProvider<RunListener> listeners) {
		return new WarmupState(Clock.systemUTC(), listeners.orderedStream().toList());
	}

	@Bean
	WarmupTasks warmupTasks(ObjectProvider<WarmupTask> tasks, ObjectProvider<RunListener> listeners) {
		return new WarmupTasks(() -> tasks.orderedStream().toList(), listeners.orderedStream().toList(),
				Schedulers.parallel(), System::nanoTime);
	}

	@Bean
	@ConditionalOnMissingBean
	SteadyCriteria warmupSteadyCriteria(WarmupProperties properties) {
		return properties.steady().criteria();
	}

	@Bean
	WarmupRunner warmupRunner(InstanceSource instance, CatalogSource catalogs, GatewayLocator gateways,
			WarmupTasks tasks, GatewayClient client, Replayer replayer, ObjectProvider<RunListener> listeners,
			WarmupState state, Gate gate, SteadyCriteria steady, WarmupProperties properties) {
		WarmupProperties.Startup startup = properties.startup();
		RunSettings settings = new RunSettings(startup.budget(), startup.minRepetitions(), startup.maxRepetitions(),
				startup.concurrency(), Runtime.getRuntime().availableProcessors(), properties.cpu().maxShare(), steady);
		return new WarmupRunner(instance, catalogs, gateways, tasks, client, replayer,
				listeners.orderedStream().toList(), state, gate, settings, Timing.system());
	}

	@Bean
	StartupRun warmupStartupRun(WarmupRunner runner, WarmupState state, WarmupProperties properties) {
		return new StartupRun(runner, state, properties.startup().trigger(), Schedulers.parallel());
	}

	@Bean
	ShutdownNotifier warmupShutdownNotifier(InstanceSource instance, GatewayLocator gateways, GatewayClient client,
			Gate gate) {
		return new ShutdownNotifier(instance, gateways, client, gate, Schedulers.parallel());
	}

	@Bean
	IdleCheck warmupIdleCheck(WarmupRunner runner, WarmupState state, UserActivity users, IdleSchedule schedule) {
		return new IdleCheck(runner, state, users, schedule, Clock.systemUTC(),
				() -> ThreadLocalRandom.current().nextDouble());
	}

	@Bean
	static WarmupTimers warmupTimers(ConfigurableListableBeanFactory beans) {
		return new WarmupTimers(beans, List.of(IdleCheck.class));
	}

	@Bean
	@Order(TASK_ORDER)
	ConnectorTask warmupConnectorTask(WarmupHttpClient client) {
		return new ConnectorTask(client.http());
	}

	@Bean
	@Order(TASK_ORDER)
	DnsTask warmupDnsTask(GatewayLocator gateways) {
		return new DnsTask(gateways);
	}

	@Bean
	@Order(TASK_ORDER)
	ExecutorTask warmupExecutorTask(ConfigurableListableBeanFactory beans) {
		return new ExecutorTask(existing(beans, ThreadPoolTaskExecutor.class));
	}

	/**
	 * The singletons that exist by now: none is created for the sake of warming it, since
	 * a lazy one may never be needed, and may not work.
	 */
	private static <T> Supplier<List<T>> existing(ConfigurableListableBeanFactory beans, Class<T> type) {
		return () -> Arrays.stream(beans.getBeanNamesForType(type, false, false))
			.filter(beans::containsSingleton)
			.map((name) -> beans.getBean(name, type))
			.toList();
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(HikariDataSource.class)
	static class HikariConfiguration {

		@Bean
		@Order(TASK_ORDER)
		HikariTask warmupHikariTask(ConfigurableListableBeanFactory beans) {
			return new HikariTask(existing(beans, DataSource.class));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ConnectionPool.class)
	static class R2dbcConfiguration {

		@Bean
		@Order(TASK_ORDER)
		R2dbcTask warmupR2dbcTask(ConfigurableListableBeanFactory beans) {
			return new R2dbcTask(existing(beans, ConnectionFactory.class));
		}

	}

	/** One kind only: a factory of both would hold a connection of each. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(RedisConnectionFactory.class)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	static class RedisConfiguration {

		@Bean
		@Order(TASK_ORDER)
		RedisTask warmupRedisTask(ConfigurableListableBeanFactory beans) {
			return new RedisTask(existing(beans, RedisConnectionFactory.class));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ReactiveRedisConnectionFactory.class)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
	static class ReactiveRedisConfiguration {

		@Bean
		@Order(TASK_ORDER)
		ReactiveRedisTask warmupRedisTask(ConfigurableListableBeanFactory beans) {
			return new ReactiveRedisTask(existing(beans, ReactiveRedisConnectionFactory.class));
		}

	}

	/**
	 * The client that all warm-up is sent with, apart from the application's own.
	 *
	 * @param http the client
	 * @param connections its pool, closed with the application
	 */
	record WarmupHttpClient(HttpClient http, ConnectionProvider connections) implements AutoCloseable {

		WebClient webClient() {
			return WebClient.builder().clientConnector(new ReactorClientHttpConnector(this.http)).build();
		}

		@Override
		public void close() {
			this.connections.dispose();
		}

	}

}
