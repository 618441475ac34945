package dev.warmup.autoconfigure;

import dev.warmup.actuate.ReactiveWarmupTag;
import dev.warmup.actuate.RunMeters;
import dev.warmup.actuate.ServletWarmupTag;
import dev.warmup.actuate.TaskMeters;
import dev.warmup.run.WarmupRunner;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationFilter;
import jakarta.servlet.http.HttpServletRequest;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.server.reactive.ServerHttpRequest;

/**
 * {@link EnableAutoConfiguration Auto-configuration} of meters, and of the mark on
 * others' meters.
 */
@AutoConfiguration(after = WarmupReplayAutoConfiguration.class,
		afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnBooleanProperty(name = "warmup.enabled", matchIfMissing = true)
public final class WarmupMeterAutoConfiguration {

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterRegistry.class)
	@ConditionalOnBean({ MeterRegistry.class, WarmupRunner.class })
	static class RunConfiguration {

		@Bean
		@ConditionalOnMissingBean
		RunMeters warmupRunMeters(MeterRegistry registry, WarmupProperties properties) {
			return new RunMeters(registry, properties.startup().budget());
		}

		@Bean
		@ConditionalOnMissingBean
		TaskMeters warmupTaskMeters(MeterRegistry registry) {
			return new TaskMeters(registry);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ ObservationFilter.class, ServerHttpRequest.class })
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
	static class ReactiveConfiguration {

		@Bean
		@ConditionalOnMissingBean
		ReactiveWarmupTag warmupReactiveTag() {
			return new ReactiveWarmupTag();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ ObservationFilter.class, HttpServletRequest.class })
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	static class ServletConfiguration {

		@Bean
		@ConditionalOnMissingBean
		ServletWarmupTag warmupServletTag() {
			return new ServletWarmupTag();
		}

	}

}
