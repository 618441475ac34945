package dev.warmup.task;

import java.net.InetAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.warmup.GatewayLocator;
import dev.warmup.WarmupTask;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.ConnectionFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

/** The tasks that warm pools, threads and names. */
@Configuration(proxyBeanMethods = false)
public class TaskConfiguration {

	private static final Duration LOCATE_LIMIT = Duration.ofSeconds(2);

	private static final Duration DNS_LIMIT = Duration.ofSeconds(3);

	/**
	 * Resolves the names of the gateways' hosts with the JVM's resolver, so that it and
	 * the name server have them at hand, and a name that does not resolve is reported.
	 * Where gateways cannot be looked for, or there is none yet, it does nothing: the run
	 * itself reports it.
	 */
	@Bean
	@Order(WarmupTask.ORDER)
	WarmupTask warmupDnsTask(GatewayLocator gateways) {
		Flux<String> hosts = Flux
			.defer(() -> gateways.locate().timeout(LOCATE_LIMIT).onErrorReturn(List.of()).flatMapIterable((all) -> all))
			.flatMap((gateway) -> Mono.justOrEmpty(gateway.uri().getHost()))
			.distinct();
		return new EachTask<>("dns", hosts, TaskConfiguration::resolve);
	}

	private static Mono<InetAddress[]> resolve(String host) {
		return Mono.fromCallable(() -> InetAddress.getAllByName(host))
			.subscribeOn(Schedulers.boundedElastic())
			.timeout(DNS_LIMIT, Mono.error(() -> new IllegalStateException(
					"%s could not be resolved within %d s".formatted(host, DNS_LIMIT.toSeconds()))));
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

	private static <T> Flux<T> existing(ConfigurableListableBeanFactory beans, Class<T> type) {
		return Flux.defer(() -> Flux.fromIterable(existingByName(beans, type).values()));
	}

	/**
	 * Finds the singletons of a type that exist by now, and creates none: a lazy one may
	 * never be needed, and may not work.
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

}
