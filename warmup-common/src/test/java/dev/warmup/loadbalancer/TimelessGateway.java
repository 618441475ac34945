package dev.warmup.loadbalancer;

import dev.warmup.MutableClock;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.context.annotation.Bean;

/** A gateway where time stands still. */
@SpringBootConfiguration(proxyBeanMethods = false)
class TimelessGateway extends PinningGateway {

	@Bean
	MutableClock clock() {
		return new MutableClock();
	}

	@Bean
	AnnouncedInstances announced(MutableClock clock) {
		return new AnnouncedInstances(clock);
	}

}
