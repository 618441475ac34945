package dev.warmup.autoconfigure;

import java.time.Clock;
import java.time.Duration;

import dev.warmup.protocol.IdleSchedule;
import dev.warmup.protocol.UserActivity;
import dev.warmup.run.IdleCheck;
import dev.warmup.run.WarmupRunner;
import dev.warmup.run.WarmupState;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.config.FixedRateTask;
import org.springframework.scheduling.config.ScheduledTask;
import org.springframework.scheduling.config.ScheduledTaskHolder;

import static org.assertj.core.api.Assertions.assertThat;

class WarmupIdleAutoConfigurationTests {

	private final ReactiveWebApplicationContextRunner service = Warmup.reactiveService();

	@Test
	void idlenessIsLookedAtAsOftenAsTheScheduleSays() {
		this.service.withPropertyValues("warmup.idle.after=2m", "warmup.idle.check-every=5s")
			.run((context) -> assertThat(context.getBean(ScheduledTaskHolder.class).getScheduledTasks()).singleElement()
				.extracting(ScheduledTask::getTask)
				.isInstanceOfSatisfying(FixedRateTask.class, (task) -> {
					assertThat(task.getIntervalDuration()).isEqualTo(Duration.ofSeconds(5));
					assertThat(task.getInitialDelayDuration()).isEqualTo(Duration.ofSeconds(5));
				}));
	}

	@Test
	void scheduleComesFromProperties() {
		this.service.withPropertyValues("warmup.idle.after=2m", "warmup.idle.check-every=5s", "warmup.idle.jitter=0.5")
			.run((context) -> assertThat(context.getBean(IdleSchedule.class))
				.isEqualTo(new IdleSchedule(Duration.ofMinutes(2), Duration.ofSeconds(5), 0.5)));
	}

	@Test
	void checksShareTheSchedulerOfSpringBoot() {
		this.service.withConfiguration(AutoConfigurations.of(TaskSchedulingAutoConfiguration.class))
			.run((context) -> assertThat(context).hasSingleBean(TaskScheduler.class));
	}

	@Test
	void idleCheckGivesWay() {
		this.service.run((other) -> {
			IdleCheck own = new IdleCheck(other.getBean(WarmupRunner.class), other.getBean(WarmupState.class),
					new UserActivity(Clock.systemUTC()), other.getBean(IdleSchedule.class), Clock.systemUTC(), () -> 0);
			this.service.withBean(IdleCheck.class, () -> own)
				.run((context) -> assertThat(context).getBean(IdleCheck.class).isSameAs(own));
		});
	}

	@Test
	void gatewayDoesNotCheckForIdleness() {
		Warmup.gateway().run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(IdleCheck.class));
	}

	@Test
	void nobodyChecksForIdlenessWhenDisabled() {
		this.service.withPropertyValues("warmup.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(IdleCheck.class)
				.doesNotHaveBean(ScheduledTaskHolder.class));
	}

}
