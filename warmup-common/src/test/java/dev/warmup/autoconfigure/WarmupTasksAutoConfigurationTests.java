package dev.warmup.autoconfigure;

import java.util.UUID;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.warmup.Catalogs;
import dev.warmup.WarmupTask;
import dev.warmup.protocol.RunRecord;
import dev.warmup.run.RunInternals;
import dev.warmup.run.RunListener;
import dev.warmup.run.RunRecorder;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.annotation.Order;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

import static org.assertj.core.api.Assertions.assertThat;

/** The tasks before a run: the library's own, and the application's. */
class WarmupTasksAutoConfigurationTests {

	private final ReactiveWebApplicationContextRunner service = Warmup.reactiveService();

	@Test
	void applicationsTasksRunInTheirOrderAfterTheBuiltInOnesUnlessOrderedBefore() {
		this.service.withUserConfiguration(OwnTasks.class)
			.run((context) -> assertThat(RunInternals.runTasks(context)).extracting(RunRecord.Task::name)
				.startsWith("before")
				.endsWith("after", "last")
				.hasSize(9));
	}

	@Test
	void whatTheServiceHasIsWarmedAndWhatIsLazyIsNotMadeForIt() {
		this.service.withUserConfiguration(Pools.class).run((context) -> {
			assertThat(RunInternals.runTasks(context)).allSatisfy((task) -> assertThat(task.problem()).isEmpty());
			assertThat(context.getBean("pool", HikariDataSource.class).getHikariPoolMXBean().getTotalConnections())
				.isEqualTo(2);
			assertThat(context.getBean(ThreadPoolTaskExecutor.class).getPoolSize()).isEqualTo(2);
			assertThat(context.getSourceApplicationContext().getBeanFactory().containsSingleton("broken")).isFalse();
		});
	}

	@Test
	void whatIsLazyIsNotMadeForARunThatIsObserved() {
		this.service.withUserConfiguration(Pools.class).run((context) -> {
			RunRecorder recorder = RunInternals.recorder(Catalogs.ofRequests("GET /one"), "shop");
			for (RunListener listener : context.getBeansOfType(RunListener.class).values()) {
				listener.begin("r-1", recorder).close();
			}
			assertThat(context.getSourceApplicationContext().getBeanFactory().containsSingleton("broken")).isFalse();
		});
	}

	@Test
	void aTaskThatCannotBeMadeDoesNotFailTheStart() {
		this.service.withBean("broken", WarmupTask.class, () -> {
			throw new IllegalStateException("cannot be made");
		}, (definition) -> definition.setLazyInit(true)).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(RunInternals.runTasks(context)).singleElement().satisfies((task) -> {
				assertThat(task.name()).isEqualTo("tasks");
				assertThat(task.problem().orElseThrow()).contains("broken");
			});
		});
	}

	@Configuration(proxyBeanMethods = false)
	static class OwnTasks {

		@Bean
		WarmupTask last() {
			return WarmupTask.of("last", () -> {
			});
		}

		@Bean
		@Order(1)
		WarmupTask after() {
			return WarmupTask.of("after", () -> {
			});
		}

		@Bean
		@Order(-1)
		WarmupTask before() {
			return new WarmupTask() {

				@Override
				public String name() {
					return "before";
				}

				@Override
				public Mono<Void> run() {
					return Mono.empty();
				}

			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Pools {

		@Bean
		HikariDataSource pool() {
			HikariDataSource pool = new HikariDataSource();
			pool.setJdbcUrl("jdbc:h2:mem:" + UUID.randomUUID());
			pool.setMinimumIdle(2);
			return pool;
		}

		@Bean
		@Lazy
		DataSource broken() {
			throw new IllegalStateException("no such database");
		}

		@Bean
		ThreadPoolTaskExecutor executor() {
			ThreadPoolTaskExecutor executor = new ThreadPoolTaskExecutor();
			executor.setCorePoolSize(2);
			return executor;
		}

	}

}
