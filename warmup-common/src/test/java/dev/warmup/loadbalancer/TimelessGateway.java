package dev.warmup.loadbalancer;

import dev.warmup.MutableClock;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/** A gateway whose time the test moves. */
@SpringBootConfiguration(proxyBeanMethods = false)
class TimelessGateway extends PinningGateway {

	@Bean
	MutableClock clock() {
		return new MutableClock();
	}

	@Bean
	@Primary
	AnnouncedInstances announced(MutableClock clock) {
		return new AnnouncedInstances(clock, (instance) -> false);
	}

}
