package dev.warmup.autoconfigure;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.warmup.GatewayLocator;
import dev.warmup.WarmupTask;
import dev.warmup.autoconfigure.WarmupClientAutoConfiguration.WarmupHttpClient;
import dev.warmup.run.TaskListener;
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

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.data.redis.connection.ReactiveRedisConnectionFactory;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

/**
 * {@link EnableAutoConfiguration Auto-configuration} of what a service warms besides
 * requests. Each task gives way to the application's bean of its type or of its name, so
 * that a {@link WarmupTask} of that name replaces it.
 */
@AutoConfiguration(after = { WarmupClientAutoConfiguration.class, WarmupLocateAutoConfiguration.class })
@ConditionalOnWebApplication
@ConditionalOnMissingClass(WarmupAutoConfiguration.GATEWAY_CLASS)
@ConditionalOnBooleanProperty(name = "warmup.enabled", matchIfMissing = true)
public final class WarmupTaskAutoConfiguration {

	/** An application's own come later, unless it orders them before. */
	private static final int ORDER = 0;

	@Bean
	@ConditionalOnMissingBean
	WarmupTasks warmupTasks(ObjectProvider<WarmupTask> tasks, ObjectProvider<TaskListener> listeners) {
		return new WarmupTasks(() -> tasks.orderedStream().toList(), listeners.orderedStream().toList(),
				Schedulers.parallel(), System::nanoTime);
	}

	@Bean
	@Order(ORDER)
	@ConditionalOnMissingBean(value = ConnectorTask.class, name = "warmupConnectorTask")
	ConnectorTask warmupConnectorTask(WarmupHttpClient client) {
		return new ConnectorTask(client.http());
	}

	@Bean
	@Order(ORDER)
	@ConditionalOnMissingBean(value = DnsTask.class, name = "warmupDnsTask")
	DnsTask warmupDnsTask(GatewayLocator gateways) {
		return new DnsTask(gateways);
	}

	@Bean
	@Order(ORDER)
	@ConditionalOnMissingBean(value = ExecutorTask.class, name = "warmupExecutorTask")
	ExecutorTask warmupExecutorTask(ConfigurableListableBeanFactory beans) {
		return new ExecutorTask(MadeBeans.of(beans, ThreadPoolTaskExecutor.class));
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(HikariDataSource.class)
	static class HikariConfiguration {

		@Bean
		@Order(ORDER)
		@ConditionalOnMissingBean(value = HikariTask.class, name = "warmupHikariTask")
		HikariTask warmupHikariTask(ConfigurableListableBeanFactory beans) {
			return new HikariTask(MadeBeans.of(beans, DataSource.class));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ConnectionPool.class)
	static class R2dbcConfiguration {

		@Bean
		@Order(ORDER)
		@ConditionalOnMissingBean(value = R2dbcTask.class, name = "warmupR2dbcTask")
		R2dbcTask warmupR2dbcTask(ConfigurableListableBeanFactory beans) {
			return new R2dbcTask(MadeBeans.of(beans, ConnectionFactory.class));
		}

	}

	/** One kind only: a factory of both would hold a connection of each. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(RedisConnectionFactory.class)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	static class RedisConfiguration {

		@Bean
		@Order(ORDER)
		@ConditionalOnMissingBean(value = RedisTask.class, name = "warmupRedisTask")
		RedisTask warmupRedisTask(ConfigurableListableBeanFactory beans) {
			return new RedisTask(MadeBeans.of(beans, RedisConnectionFactory.class));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ReactiveRedisConnectionFactory.class)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
	static class ReactiveRedisConfiguration {

		@Bean
		@Order(ORDER)
		@ConditionalOnMissingBean(value = ReactiveRedisTask.class, name = "warmupRedisTask")
		ReactiveRedisTask warmupRedisTask(ConfigurableListableBeanFactory beans) {
			return new ReactiveRedisTask(MadeBeans.of(beans, ReactiveRedisConnectionFactory.class));
		}

	}

}
