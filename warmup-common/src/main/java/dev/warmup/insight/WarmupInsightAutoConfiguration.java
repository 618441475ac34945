package dev.warmup.insight;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.function.ToIntFunction;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import dev.warmup.protocol.ConditionalOnGateway;
import dev.warmup.protocol.ConditionalOnService;
import dev.warmup.protocol.MonotonicClock;
import dev.warmup.protocol.UserActivity;
import dev.warmup.task.HikariTask;
import dev.warmup.task.R2dbcTask;
import dev.warmup.task.TaskConfiguration;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.ConnectionFactory;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Schedulers;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.thread.Threading;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;
import org.springframework.util.ClassUtils;

/**
 * {@link EnableAutoConfiguration Auto-configuration} of what runs and users show besides
 * latency. In a service: the AOT cache and connection pools. In a gateway: what users
 * send that runs do not.
 */
@AutoConfiguration(afterName = { "dev.warmup.autoconfigure.WarmupRunAutoConfiguration",
		"dev.warmup.autoconfigure.WarmupGatewayAutoConfiguration" })
public final class WarmupInsightAutoConfiguration {

	private static final String TOMCAT = "org.apache.catalina.startup.Tomcat";

	/** The default of Tomcat and of Jetty. */
	private static final int DEFAULT_SERVER_THREADS = 200;

	@Bean
	AotCache warmupAotCache() {
		return new AotCache();
	}

	@Bean
	@ConditionalOnService
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
	PoolObserver warmupReactivePoolObserver(ObjectProvider<PoolObserver.Source> sources, UserActivity users) {
		return new PoolObserver(() -> sources.orderedStream().toList(), users, Optional.empty(), Schedulers.parallel());
	}

	@Bean
	@ConditionalOnService
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	PoolObserver warmupServletPoolObserver(ObjectProvider<PoolObserver.Source> sources, UserActivity users,
			Environment environment, ResourceLoader resources) {
		return new PoolObserver(() -> sources.orderedStream().toList(), users,
				serverThreads(environment, resources.getClassLoader()), Schedulers.parallel());
	}

	/**
	 * How many requests the embedded servlet server works on at once; empty where threads
	 * are virtual and set no bound. Spring Boot prefers Tomcat.
	 */
	private static Optional<Integer> serverThreads(Environment environment, @Nullable ClassLoader loader) {
		if (Threading.VIRTUAL.isActive(environment)) {
			return Optional.empty();
		}
		String server = ClassUtils.isPresent(TOMCAT, loader) ? "tomcat" : "jetty";
		return Optional
			.of(environment.getProperty("server." + server + ".threads.max", Integer.class, DEFAULT_SERVER_THREADS));
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnService
	@ConditionalOnClass(HikariDataSource.class)
	static class HikariConfiguration {

		@Bean
		PoolObserver.Source warmupHikariPools(ConfigurableListableBeanFactory beans) {
			return () -> pools(TaskConfiguration.existingByName(beans, DataSource.class).values());
		}

		/** The pools of HikariCP, also where a data source wraps one. */
		static List<PoolObserver.Pool> pools(Collection<DataSource> dataSources) {
			return dataSources.stream()
				.flatMap((dataSource) -> HikariTask.pool(dataSource).stream())
				.distinct()
				.map((pool) -> new PoolObserver.Pool(String.valueOf(pool.getPoolName()),
						metric(pool, HikariPoolMXBean::getActiveConnections),
						metric(pool, HikariPoolMXBean::getThreadsAwaitingConnection),
						metric(pool, HikariPoolMXBean::getTotalConnections), pool.getMaximumPoolSize(), "minimumIdle"))
				.toList();
		}

		/** A pool that has not lent a connection yet has no such bean. */
		private static IntSupplier metric(HikariDataSource pool, ToIntFunction<HikariPoolMXBean> metric) {
			return () -> Optional.ofNullable(pool.getHikariPoolMXBean()).map(metric::applyAsInt).orElse(0);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnService
	@ConditionalOnClass(ConnectionPool.class)
	static class R2dbcConfiguration {

		@Bean
		PoolObserver.Source warmupR2dbcPools(ConfigurableListableBeanFactory beans) {
			return () -> pools(TaskConfiguration.existingByName(beans, ConnectionFactory.class));
		}

		/**
		 * The pools of {@code r2dbc-pool}, also where a connection factory wraps one;
		 * named as their beans.
		 */
		static List<PoolObserver.Pool> pools(Map<String, ConnectionFactory> factories) {
			List<PoolObserver.Pool> pools = new ArrayList<>();
			Set<ConnectionPool> seen = Collections.newSetFromMap(new IdentityHashMap<>());
			factories.forEach((name, factory) -> R2dbcTask.pool(factory)
				.filter(seen::add)
				.flatMap(ConnectionPool::getMetrics)
				.ifPresent((metrics) -> pools
					.add(new PoolObserver.Pool(name, metrics::acquiredSize, metrics::pendingAcquireSize,
							metrics::allocatedSize, metrics.getMaxAllocatedSize(), "initialSize"))));
			return pools;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnGateway
	@ConditionalOnClass(GlobalFilter.class)
	static class GatewayConfiguration {

		@Bean
		Coverage warmupCoverage() {
			return new Coverage(MonotonicClock.system());
		}

	}

}
