package dev.warmup.insight;

import java.util.Optional;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.warmup.protocol.ConditionalOnGateway;
import dev.warmup.protocol.ConditionalOnService;
import dev.warmup.protocol.MonotonicClock;
import dev.warmup.protocol.UserActivity;
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
 * latency. In a service: the compiler, the AOT cache, and connection pools. In a gateway:
 * what users send that runs do not.
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
	CompilerObserver warmupCompilerObserver() {
		return new CompilerObserver();
	}

	@Bean
	@ConditionalOnService
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
	PoolObserver warmupReactivePoolObserver(ObjectProvider<PoolSource> sources, UserActivity users) {
		return new PoolObserver(() -> sources.orderedStream().toList(), users, Optional.empty(), Schedulers.parallel());
	}

	@Bean
	@ConditionalOnService
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	PoolObserver warmupServletPoolObserver(ObjectProvider<PoolSource> sources, UserActivity users,
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
		HikariPools warmupHikariPools(ConfigurableListableBeanFactory beans) {
			return new HikariPools(() -> TaskConfiguration.existingByName(beans, DataSource.class).values());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnService
	@ConditionalOnClass(ConnectionPool.class)
	static class R2dbcConfiguration {

		@Bean
		R2dbcPools warmupR2dbcPools(ConfigurableListableBeanFactory beans) {
			return new R2dbcPools(() -> TaskConfiguration.existingByName(beans, ConnectionFactory.class));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnGateway
	@ConditionalOnClass(GlobalFilter.class)
	static class GatewayConfiguration {

		@Bean
		Coverage warmupCoverage() {
			return new Coverage(MonotonicClock.start());
		}

	}

}
