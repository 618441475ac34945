package dev.warmup.autoconfigure;

import java.util.Optional;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.warmup.insight.HikariPools;
import dev.warmup.insight.PoolObserver;
import dev.warmup.insight.PoolSource;
import dev.warmup.insight.R2dbcPools;
import dev.warmup.protocol.UserActivity;
import dev.warmup.run.WarmupRunner;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.ConnectionFactory;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;

/**
 * {@link EnableAutoConfiguration Auto-configuration} of what a run tells of connection
 * pools; each bean gives way to the application's own.
 */
@AutoConfiguration(after = WarmupReplayAutoConfiguration.class)
@ConditionalOnBean(WarmupRunner.class)
public final class WarmupPoolAutoConfiguration {

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	static class ServletConfiguration {

		@Bean
		@ConditionalOnMissingBean
		PoolObserver warmupPoolWatch(ObjectProvider<PoolSource> sources, UserActivity users, Environment environment,
				ResourceLoader resources) {
			ClassLoader loader = Optional.ofNullable(resources.getClassLoader())
				.orElseGet(WarmupPoolAutoConfiguration.class::getClassLoader);
			return new PoolObserver(() -> sources.orderedStream().toList(), users,
					ServerThreads.of(environment, loader));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
	static class ReactiveConfiguration {

		@Bean
		@ConditionalOnMissingBean
		PoolObserver warmupPoolWatch(ObjectProvider<PoolSource> sources, UserActivity users) {
			return new PoolObserver(() -> sources.orderedStream().toList(), users, Optional.empty());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(HikariDataSource.class)
	static class HikariConfiguration {

		@Bean
		@ConditionalOnMissingBean
		HikariPools warmupHikariPools(ListableBeanFactory beans) {
			return new HikariPools(() -> beans.getBeansOfType(DataSource.class).values());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ConnectionPool.class)
	static class R2dbcConfiguration {

		@Bean
		@ConditionalOnMissingBean
		R2dbcPools warmupR2dbcPools(ListableBeanFactory beans) {
			return new R2dbcPools(() -> beans.getBeansOfType(ConnectionFactory.class));
		}

	}

}
