package dev.warmup.autoconfigure;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import dev.warmup.actuate.ReactiveWarmupTag;
import dev.warmup.actuate.RunMeters;
import dev.warmup.actuate.ServletWarmupTag;
import dev.warmup.actuate.TaskMeters;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class WarmupMeterAutoConfigurationTests {

	@Test
	void serviceWithARegistryPublishesRunsAndTasks() {
		Warmup.reactiveService()
			.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.run((context) -> assertThat(context).hasSingleBean(RunMeters.class).hasSingleBean(TaskMeters.class));
	}

	@Test
	void budgetComesFromProperties() {
		SimpleMeterRegistry registry = new SimpleMeterRegistry();
		Warmup.reactiveService()
			.withPropertyValues("warmup.startup.budget=90s")
			.withBean(MeterRegistry.class, () -> registry)
			.run((context) -> assertThat(registry.get("warmup.startup.budget").timeGauge().value(TimeUnit.SECONDS))
				.isEqualTo(90));
	}

	@Test
	void serviceWithoutARegistryPublishesNothing() {
		Warmup.reactiveService()
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(RunMeters.class)
				.doesNotHaveBean(TaskMeters.class));
	}

	@Test
	void gatewayPublishesNoRuns() {
		Warmup.gateway()
			.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.run((context) -> assertThat(context).doesNotHaveBean(RunMeters.class)
				.doesNotHaveBean(TaskMeters.class)
				.hasSingleBean(ReactiveWarmupTag.class));
	}

	@Test
	void runMetersGiveWay() {
		RunMeters own = new RunMeters(new SimpleMeterRegistry(), Duration.ofSeconds(60));
		Warmup.reactiveService()
			.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withBean(RunMeters.class, () -> own)
			.run((context) -> assertThat(context).getBean(RunMeters.class).isSameAs(own));
	}

	@Test
	void taskMetersGiveWay() {
		TaskMeters own = new TaskMeters(new SimpleMeterRegistry());
		Warmup.reactiveService()
			.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withBean(TaskMeters.class, () -> own)
			.run((context) -> assertThat(context).getBean(TaskMeters.class).isSameAs(own));
	}

	@Test
	void reactiveServiceTagsItsRequests() {
		Warmup.reactiveService()
			.run((context) -> assertThat(context).hasSingleBean(ReactiveWarmupTag.class)
				.doesNotHaveBean(ServletWarmupTag.class));
	}

	@Test
	void servletServiceTagsItsRequests() {
		Warmup.servletService()
			.run((context) -> assertThat(context).hasSingleBean(ServletWarmupTag.class)
				.doesNotHaveBean(ReactiveWarmupTag.class));
	}

	@Test
	void reactiveTagGivesWay() {
		ReactiveWarmupTag own = new ReactiveWarmupTag();
		Warmup.reactiveService()
			.withBean(ReactiveWarmupTag.class, () -> own)
			.run((context) -> assertThat(context).getBean(ReactiveWarmupTag.class).isSameAs(own));
	}

	@Test
	void servletTagGivesWay() {
		ServletWarmupTag own = new ServletWarmupTag();
		Warmup.servletService()
			.withBean(ServletWarmupTag.class, () -> own)
			.run((context) -> assertThat(context).getBean(ServletWarmupTag.class).isSameAs(own));
	}

	@Test
	void nothingIsTaggedWithoutMicrometer() {
		Warmup.reactiveService("io.micrometer")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(ReactiveWarmupTag.class)
				.doesNotHaveBean(RunMeters.class));
	}

	@Test
	void nothingIsTaggedWhenDisabled() {
		Warmup.reactiveService()
			.withPropertyValues("warmup.enabled=false")
			.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(ReactiveWarmupTag.class)
				.doesNotHaveBean(RunMeters.class));
	}

}
