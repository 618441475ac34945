package dev.warmup.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.warmup.GatewayLocator;
import dev.warmup.WarmupTask;
import dev.warmup.protocol.TaskRecord;
import dev.warmup.run.Budget;
import dev.warmup.run.TaskListener;
import dev.warmup.run.WarmupTasks;
import dev.warmup.task.ConnectorTask;
import dev.warmup.task.DnsTask;
import dev.warmup.task.ExecutorTask;
import dev.warmup.task.HikariTask;
import dev.warmup.task.R2dbcTask;
import dev.warmup.task.ReactiveRedisTask;
import dev.warmup.task.RedisTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.test.StepVerifier;

import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.annotation.Order;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

import static org.assertj.core.api.Assertions.assertThat;

class WarmupTaskAutoConfigurationTests {

	private final ReactiveWebApplicationContextRunner service = Warmup.reactiveService();

	@Test
	void reactiveServiceHasATaskForEachLibrary() {
		this.service.run((context) -> {
			assertThat(context).hasSingleBean(ReactiveRedisTask.class).doesNotHaveBean(RedisTask.class);
			assertThat(names(context)).containsExactlyInAnyOrder("connector", "dns", "executors", "jdbc", "r2dbc",
					"redis");
		});
	}

	@Test
	void servletServiceHasATaskForEachLibrary() {
		Warmup.servletService().run((context) -> {
			assertThat(context).hasSingleBean(RedisTask.class).doesNotHaveBean(ReactiveRedisTask.class);
			assertThat(names(context)).containsExactlyInAnyOrder("connector", "dns", "executors", "jdbc", "r2dbc",
					"redis");
		});
	}

	@Test
	void gatewayHasNoTask() {
		Warmup.gateway()
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(WarmupTask.class)
				.doesNotHaveBean(WarmupTasks.class));
	}

	@Test
	void thereIsNoTaskWhenDisabled() {
		this.service.withPropertyValues("warmup.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(WarmupTask.class)
				.doesNotHaveBean(WarmupTasks.class));
	}

	@Test
	void withoutHikariThereIsNoTaskForIt() {
		Warmup.reactiveService("com.zaxxer.hikari")
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(WarmupTasks.class)
				.doesNotHaveBean(HikariTask.class));
	}

	@Test
	void withoutAnR2dbcPoolThereIsNoTaskForIt() {
		Warmup.reactiveService("io.r2dbc")
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(WarmupTasks.class)
				.doesNotHaveBean(R2dbcTask.class));
	}

	@Test
	void withoutRedisThereIsNoTaskForIt() {
		Warmup.reactiveService("org.springframework.data.redis")
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(WarmupTasks.class)
				.doesNotHaveBean(ReactiveRedisTask.class));
		Warmup.servletService("org.springframework.data.redis")
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(WarmupTasks.class)
				.doesNotHaveBean(RedisTask.class));
	}

	@ParameterizedTest
	@ValueSource(strings = { "warmupConnectorTask", "warmupDnsTask", "warmupExecutorTask", "warmupHikariTask",
			"warmupR2dbcTask", "warmupRedisTask" })
	void aTaskGivesWayToOneOfItsName(String name) {
		WarmupTask own = WarmupTask.of("mine", () -> {
		});
		this.service.withBean(name, WarmupTask.class, () -> own).run((context) -> {
			assertThat(context).getBean(name).isSameAs(own);
			assertThat(names(context)).hasSize(6).contains("mine");
		});
		Warmup.servletService().withBean(name, WarmupTask.class, () -> own).run((context) -> {
			assertThat(context).getBean(name).isSameAs(own);
			assertThat(names(context)).hasSize(6).contains("mine");
		});
	}

	@Test
	void aTaskGivesWayToOneOfItsType() {
		this.service.withBean("a", ConnectorTask.class, () -> new ConnectorTask(HttpClient.create()))
			.withBean("b", DnsTask.class, () -> new DnsTask(GatewayLocator.none("none")))
			.withBean("c", ExecutorTask.class, () -> new ExecutorTask(List::of))
			.withBean("d", HikariTask.class, () -> new HikariTask(List::of))
			.withBean("e", R2dbcTask.class, () -> new R2dbcTask(List::of))
			.withBean("f", ReactiveRedisTask.class, () -> new ReactiveRedisTask(List::of))
			.run((context) -> assertThat(context.getBeanNamesForType(WarmupTask.class)).containsExactlyInAnyOrder("a",
					"b", "c", "d", "e", "f"));
		Warmup.servletService()
			.withBean("a", RedisTask.class, () -> new RedisTask(List::of))
			.run((context) -> assertThat(context.getBeanNamesForType(RedisTask.class)).containsExactly("a"));
	}

	@Test
	void tasksGiveWay() {
		WarmupTasks own = WarmupTasks.none();
		this.service.withBean(WarmupTasks.class, () -> own)
			.run((context) -> assertThat(context).getBean(WarmupTasks.class).isSameAs(own));
	}

	@Test
	void applicationsTasksRunInTheirOrderAfterTheBuiltInOnesUnlessOrderedBefore() {
		this.service.withUserConfiguration(OwnTasks.class)
			.run((context) -> assertThat(run(context)).extracting(TaskRecord::name)
				.startsWith("before")
				.endsWith("after", "last")
				.hasSize(9));
	}

	@Test
	void listenersAreTold() {
		List<TaskRecord> told = new ArrayList<>();
		this.service.withBean(TaskListener.class, () -> told::add)
			.run((context) -> assertThat(run(context)).isEqualTo(told).isNotEmpty());
	}

	@Test
	void whatTheServiceHasIsWarmedAndWhatIsLazyIsNotMadeForIt() {
		this.service.withUserConfiguration(Pools.class).run((context) -> {
			assertThat(run(context)).allSatisfy((task) -> assertThat(task.problem()).isEmpty());
			assertThat(context.getBean("pool", HikariDataSource.class).getHikariPoolMXBean().getTotalConnections())
				.isEqualTo(2);
			assertThat(context.getBean(ThreadPoolTaskExecutor.class).getPoolSize()).isEqualTo(2);
			assertThat(context.getSourceApplicationContext().getBeanFactory().containsSingleton("broken")).isFalse();
		});
	}

	@Test
	void aTaskThatCannotBeMadeDoesNotFailTheStart() {
		this.service.withBean("broken", WarmupTask.class, () -> {
			throw new IllegalStateException("cannot be made");
		}, (definition) -> definition.setLazyInit(true)).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(run(context)).singleElement().satisfies((task) -> {
				assertThat(task.name()).isEqualTo("tasks");
				assertThat(task.problem().orElseThrow()).contains("broken");
			});
		});
	}

	private static List<String> names(ApplicationContext context) {
		return context.getBeansOfType(WarmupTask.class).values().stream().map(WarmupTask::name).toList();
	}

	private static List<TaskRecord> run(ApplicationContext context) {
		List<TaskRecord> records = new ArrayList<>();
		StepVerifier
			.create(context.getBean(WarmupTasks.class).run(Budget.start(Duration.ofMinutes(1), System::nanoTime)))
			.consumeNextWith(records::addAll)
			.expectComplete()
			.verify(Duration.ofMinutes(1));
		return records;
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
