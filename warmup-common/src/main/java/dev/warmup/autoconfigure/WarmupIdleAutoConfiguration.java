package dev.warmup.autoconfigure;

import java.time.Clock;
import java.util.concurrent.ThreadLocalRandom;

import dev.warmup.protocol.IdleSchedule;
import dev.warmup.protocol.UserActivity;
import dev.warmup.run.IdleCheck;
import dev.warmup.run.WarmupRunner;
import dev.warmup.run.WarmupState;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.scheduling.annotation.EnableScheduling;

/**
 * {@link EnableAutoConfiguration Auto-configuration} of the run after a time without
 * users.
 */
@AutoConfiguration(after = WarmupReplayAutoConfiguration.class, before = TaskSchedulingAutoConfiguration.class)
@ConditionalOnBean(WarmupRunner.class)
@EnableScheduling
public final class WarmupIdleAutoConfiguration {

	@Bean
	IdleSchedule warmupIdleSchedule(WarmupProperties properties) {
		WarmupProperties.Idle idle = properties.idle();
		return new IdleSchedule(idle.after(), idle.checkEvery(), idle.jitter());
	}

	@Bean
	@ConditionalOnMissingBean
	IdleCheck warmupIdleCheck(WarmupRunner runner, WarmupState state, UserActivity idleClock, IdleSchedule schedule) {
		return new IdleCheck(runner, state, idleClock, schedule, Clock.systemUTC(),
				() -> ThreadLocalRandom.current().nextDouble());
	}

}
