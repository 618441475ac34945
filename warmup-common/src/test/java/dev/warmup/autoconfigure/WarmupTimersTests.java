package dev.warmup.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import dev.warmup.catalog.Catalog;
import dev.warmup.catalog.CatalogSource;
import dev.warmup.protocol.Trigger;
import dev.warmup.run.WarmupRunner;
import org.aopalliance.intercept.MethodInterceptor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import reactor.test.StepVerifier;

import org.springframework.aop.Advisor;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.annotation.ScheduledAnnotationBeanPostProcessor;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.timeout;

/** The library's timers run, and leave the application's scheduling as it is. */
class WarmupTimersTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	private final CatalogSource catalogs = mock(CatalogSource.class,
			(call) -> new Catalog("empty", Map.of(), List.of()));

	private final ReactiveWebApplicationContextRunner service = Warmup.reactiveService()
		.withConfiguration(AutoConfigurations.of(TaskSchedulingAutoConfiguration.class))
		.withPropertyValues("warmup.idle.after=100ms", "warmup.idle.check-every=50ms", "warmup.gate.enabled=false")
		.withBean(CatalogSource.class, () -> this.catalogs)
		.withBean(Dormant.class);

	@Test
	void idleTimerRunsUntilShutdownIfTheApplicationSchedulesNothingAndDormantMethodsStayDormant() {
		this.service.run((context) -> {
			awaitIdleRun(context);
			Dormant dormant = context.getBean(Dormant.class);
			assertThat(dormant.calls).hasValue(0);
			assertThat(dormant.configured).isFalse();
			assertThat(context).doesNotHaveBean(ScheduledAnnotationBeanPostProcessor.class)
				.doesNotHaveBean(TaskScheduler.class);
			assertThat(timers()).isNotEmpty();
		});
		awaitNoTimers();
	}

	@Test
	void idleTimerRunsOnTheApplicationsSchedulerIfItHasOne() {
		this.service.withUserConfiguration(Scheduling.class).run((context) -> {
			awaitIdleRun(context);
			Dormant dormant = context.getBean(Dormant.class);
			assertThat(dormant.configured).isTrue();
			assertThat(context.getBean(ScheduledAnnotationBeanPostProcessor.class).getScheduledTasks())
				.as("the idle check and the application's own method, each once")
				.hasSize(2);
			awaitNoTimers();
		});
	}

	@Test
	void idleTimerRunsInTheChildOfAContextThatSchedules() {
		try (AnnotationConfigApplicationContext parent = new AnnotationConfigApplicationContext(Scheduling.class)) {
			this.service.withParent(parent).run(this::awaitIdleRun);
		}
	}

	@Test
	void idleTimerRunsBeneathAnAspectOnScheduledMethods() {
		this.service.withUserConfiguration(Aspect.class).run((context) -> {
			awaitIdleRun(context);
			assertThat(context.getBean(Aspect.class).calls).hasPositiveValue();
		});
		Warmup.gateway()
			.withBean(DiscoveryClient.class, () -> mock(DiscoveryClient.class))
			.withUserConfiguration(Aspect.class)
			.run((context) -> assertThat(context).hasBean("warmupGatewayWarmup"));
	}

	/** The first run is what a start does; the one after it is the timer's. */
	private void awaitIdleRun(ApplicationContext context) {
		StepVerifier.create(context.getBean(WarmupRunner.class).run(Trigger.STARTUP))
			.expectNextCount(1)
			.expectComplete()
			.verify(TIMEOUT);
		then(this.catalogs).should(timeout(TIMEOUT.toMillis()).atLeast(2)).current();
	}

	/** Those of a context that an earlier test closed may still be ending. */
	private static void awaitNoTimers() {
		Awaitility.await().atMost(TIMEOUT).until(() -> timers().isEmpty());
	}

	private static List<String> timers() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.map(Thread::getName)
			.filter((name) -> name.startsWith("warmup-timer-"))
			.toList();
	}

	/**
	 * What an application has that does not use {@code @EnableScheduling} on this
	 * replica.
	 */
	public static class Dormant implements SchedulingConfigurer {

		private final AtomicInteger calls = new AtomicInteger();

		private volatile boolean configured;

		@Scheduled(fixedRate = 10)
		void call() {
			this.calls.incrementAndGet();
		}

		@Override
		public void configureTasks(ScheduledTaskRegistrar registrar) {
			this.configured = true;
		}

	}

	/** As an application has for its log, or its metrics. */
	@Configuration(proxyBeanMethods = false)
	static class Aspect {

		private final AtomicInteger calls = new AtomicInteger();

		@Bean
		static DefaultAdvisorAutoProxyCreator proxies() {
			DefaultAdvisorAutoProxyCreator creator = new DefaultAdvisorAutoProxyCreator();
			creator.setProxyTargetClass(true);
			return creator;
		}

		@Bean
		Advisor counted() {
			return new DefaultPointcutAdvisor(new AnnotationMatchingPointcut(null, Scheduled.class),
					(MethodInterceptor) (call) -> {
						this.calls.incrementAndGet();
						return call.proceed();
					});
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	static class Scheduling {

	}

}
