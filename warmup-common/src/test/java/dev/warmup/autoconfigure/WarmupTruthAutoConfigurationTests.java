package dev.warmup.autoconfigure;

import java.time.Clock;
import java.time.Duration;

import dev.warmup.actuate.CoverageMeter;
import dev.warmup.gateway.Fleet;
import dev.warmup.insight.Coverage;
import dev.warmup.insight.CoverageFilter;
import dev.warmup.insight.CoverageLog;
import dev.warmup.insight.FirstUserLatencyLog;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.config.FixedRateTask;
import org.springframework.scheduling.config.ScheduledTask;
import org.springframework.scheduling.config.ScheduledTaskHolder;

import static org.assertj.core.api.Assertions.assertThat;

class WarmupTruthAutoConfigurationTests {

	private final ReactiveWebApplicationContextRunner gateway = Warmup.gateway();

	@Test
	void gatewayHasItsParts() {
		this.gateway.run((context) -> assertThat(context).hasSingleBean(Coverage.class)
			.hasSingleBean(CoverageFilter.class)
			.hasSingleBean(CoverageLog.class)
			.hasSingleBean(FirstUserLatencyLog.class)
			.doesNotHaveBean(CoverageMeter.class));
	}

	@Test
	void othersHaveNoneOfThem() {
		Warmup.reactiveService().run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(Coverage.class));
		new WebApplicationContextRunner().withConfiguration(Warmup.autoConfigurations())
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(Coverage.class));
		this.gateway.withPropertyValues("warmup.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(Coverage.class)
				.doesNotHaveBean(ScheduledTaskHolder.class));
	}

	@Test
	void coverageIsLoggedOnceADay() {
		this.gateway
			.run((context) -> assertThat(context.getBean(ScheduledTaskHolder.class).getScheduledTasks()).singleElement()
				.extracting(ScheduledTask::getTask)
				.isInstanceOfSatisfying(FixedRateTask.class, (task) -> {
					assertThat(task.getIntervalDuration()).isEqualTo(Duration.ofDays(1));
					assertThat(task.getInitialDelayDuration()).isEqualTo(Duration.ofDays(1));
				}));
	}

	@Test
	void logSharesTheSchedulerOfSpringBoot() {
		this.gateway.withConfiguration(AutoConfigurations.of(TaskSchedulingAutoConfiguration.class))
			.run((context) -> assertThat(context).hasSingleBean(TaskScheduler.class));
	}

	@Test
	void eachBeanGivesWay() {
		Coverage coverage = new Coverage(Clock.systemUTC());
		givesWay(Coverage.class, coverage);
		givesWay(CoverageFilter.class, new CoverageFilter(coverage));
		givesWay(CoverageLog.class, new CoverageLog(coverage));
		givesWay(FirstUserLatencyLog.class, new FirstUserLatencyLog(2, new Fleet(Clock.systemUTC()), coverage::report));
		givesWay(CoverageMeter.class, new CoverageMeter(new SimpleMeterRegistry(), coverage));
	}

	@Test
	void gatewayWithARegistryPublishesTheShare() {
		this.gateway.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.run((context) -> assertThat(context).hasSingleBean(CoverageMeter.class));
	}

	@Test
	void gatewayDoesWithoutMicrometer() {
		this.gateway.withClassLoader(new FilteredClassLoader("io.micrometer"))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(CoverageFilter.class)
				.doesNotHaveBean(CoverageMeter.class));
	}

	@Test
	void factorComesFromProperties() {
		this.gateway.withPropertyValues("warmup.truth.factor=1.5")
			.run((context) -> assertThat(context.getBean(FirstUserLatencyLog.class)).extracting("factor")
				.isEqualTo(1.5));
		this.gateway.run((context) -> assertThat(context.getBean(FirstUserLatencyLog.class)).extracting("factor")
			.isEqualTo(3.0));
	}

	private <T> void givesWay(Class<T> type, T own) {
		this.gateway.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withBean("mine", type, () -> own)
			.run((context) -> assertThat(context).getBean(type).isSameAs(own));
	}

}
