package dev.warmup.autoconfigure;

import dev.warmup.actuate.WarmupEndpoint;
import dev.warmup.protocol.Gate;
import dev.warmup.protocol.IdleSchedule;
import dev.warmup.protocol.InstanceSource;
import dev.warmup.protocol.UserActivity;
import dev.warmup.run.IdleCheck;
import dev.warmup.run.WarmupRunner;
import dev.warmup.run.WarmupState;

import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * {@link EnableAutoConfiguration Auto-configuration} of a service's
 * {@code /actuator/warmup}.
 */
@AutoConfiguration(after = { WarmupIdleAutoConfiguration.class, WarmupTrafficAutoConfiguration.class })
@ConditionalOnClass({ WebEndpoint.class, ConditionalOnAvailableEndpoint.class })
@ConditionalOnBean(WarmupRunner.class)
public final class WarmupEndpointAutoConfiguration {

	@Bean
	@ConditionalOnAvailableEndpoint
	@ConditionalOnMissingBean
	WarmupEndpoint warmupEndpoint(InstanceSource instance, WarmupState state, Gate gate, WarmupRunner runner,
			UserActivity idleClock, IdleSchedule idleSchedule, IdleCheck idleCheck) {
		return new WarmupEndpoint(instance, state, gate, runner, idleClock, idleSchedule, idleCheck);
	}

}
