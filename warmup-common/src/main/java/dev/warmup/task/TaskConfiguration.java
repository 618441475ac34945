package dev.warmup.task;

import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.warmup.GatewayLocator;
import dev.warmup.WarmupTask;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.ConnectionFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.data.redis.connection.ReactiveRedisConnection;
import org.springframework.data.redis.connection.ReactiveRedisConnectionFactory;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

/** The tasks that warm pools, threads and names. */
@Configuration(proxyBeanMethods = false)
public class TaskConfiguration {

	@Bean
	@Order(WarmupTask.ORDER)
	DnsTask warmupDnsTask(GatewayLocator gateways) {
		return new DnsTask(gateways);
	}

	/**
	 * Starts the core threads of thread pools, which would else start one by one with the
	 * first users' work. Executors without a pool, such as those of virtual threads, have
	 * none, and no user waits for a scheduler's.
	 */
	@Bean
	@Order(WarmupTask.ORDER)
	WarmupTask warmupExecutorTask(ConfigurableListableBeanFactory beans) {
		return new EachTask<>("executors", existing(beans, ThreadPoolTaskExecutor.class),
				(executor) -> Mono.fromRunnable(() -> executor.getThreadPoolExecutor().prestartAllCoreThreads()));
	}

	/**
	 * Supplies the singletons that exist by then: none is created for the sake of warming
	 * it, since a lazy one may never be needed, and may not work.
	 */
	private static <T> Supplier<Collection<T>> existing(ConfigurableListableBeanFactory beans, Class<T> type) {
		return () -> existingByName(beans, type).values();
	}

	/**
	 * Finds the singletons of a type that exist by now, and creates none.
	 * @param <T> the type
	 * @param beans where to look
	 * @param type the type
	 * @return the singletons by name
	 */
	public static <T> Map<String, T> existingByName(ConfigurableListableBeanFactory beans, Class<T> type) {
		Map<String, T> existing = new LinkedHashMap<>();
		Arrays.stream(beans.getBeanNamesForType(type, false, false))
			.filter(beans::containsSingleton)
			.forEach((name) -> existing.put(name, beans.getBean(name, type)));
		return existing;
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(HikariDataSource.class)
	static class HikariConfiguration {

		@Bean
		@Order(WarmupTask.ORDER)
		WarmupTask warmupHikariTask(ConfigurableListableBeanFactory beans) {
			return HikariTask.of(existing(beans, DataSource.class));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ConnectionPool.class)
	static class R2dbcConfiguration {

		@Bean
		@Order(WarmupTask.ORDER)
		WarmupTask warmupR2dbcTask(ConfigurableListableBeanFactory beans) {
			return R2dbcTask.of(existing(beans, ConnectionFactory.class));
		}

	}

	/**
	 * Opens each Redis connection, and has it answer a PING. One kind of connection only:
	 * a factory of both would hold one of each.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(RedisConnectionFactory.class)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	static class RedisConfiguration {

		@Bean
		@Order(WarmupTask.ORDER)
		WarmupTask warmupRedisTask(ConfigurableListableBeanFactory beans) {
			return new EachTask<>("redis", existing(beans, RedisConnectionFactory.class),
					(factory) -> Mono.fromRunnable(() -> ping(factory)).subscribeOn(Schedulers.boundedElastic()));
		}

		private static void ping(RedisConnectionFactory factory) {
			try (RedisConnection connection = factory.getConnection()) {
				connection.ping();
			}
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ReactiveRedisConnectionFactory.class)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
	static class ReactiveRedisConfiguration {

		@Bean
		@Order(WarmupTask.ORDER)
		WarmupTask warmupRedisTask(ConfigurableListableBeanFactory beans) {
			return new EachTask<>("redis", existing(beans, ReactiveRedisConnectionFactory.class),
					ReactiveRedisConfiguration::ping);
		}

		/** The connection is opened where it may block: a shared one is waited for. */
		private static Mono<String> ping(ReactiveRedisConnectionFactory factory) {
			return Mono
				.usingWhen(Mono.fromSupplier(factory::getReactiveConnection), ReactiveRedisConnection::ping,
						ReactiveRedisConnection::closeLater)
				.subscribeOn(Schedulers.boundedElastic());
		}

	}

}
