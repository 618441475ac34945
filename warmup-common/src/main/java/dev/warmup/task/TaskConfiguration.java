package dev.warmup.task;

import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.warmup.GatewayLocator;
import dev.warmup.WarmupTask;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.ConnectionFactory;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.data.redis.connection.ReactiveRedisConnectionFactory;
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

	@Bean
	@Order(WarmupTask.ORDER)
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
		@Order(WarmupTask.ORDER)
		HikariTask warmupHikariTask(ConfigurableListableBeanFactory beans) {
			return new HikariTask(existing(beans, DataSource.class));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ConnectionPool.class)
	static class R2dbcConfiguration {

		@Bean
		@Order(WarmupTask.ORDER)
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
		@Order(WarmupTask.ORDER)
		RedisTask warmupRedisTask(ConfigurableListableBeanFactory beans) {
			return new RedisTask(existing(beans, RedisConnectionFactory.class));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ReactiveRedisConnectionFactory.class)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
	static class ReactiveRedisConfiguration {

		@Bean
		@Order(WarmupTask.ORDER)
		ReactiveRedisTask warmupRedisTask(ConfigurableListableBeanFactory beans) {
			return new ReactiveRedisTask(existing(beans, ReactiveRedisConnectionFactory.class));
		}

	}

}
