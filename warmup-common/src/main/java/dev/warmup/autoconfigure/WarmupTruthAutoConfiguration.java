package dev.warmup.autoconfigure;

import java.time.Clock;

import dev.warmup.actuate.CoverageMeter;
import dev.warmup.gateway.Fleet;
import dev.warmup.insight.Coverage;
import dev.warmup.insight.CoverageFilter;
import dev.warmup.insight.CoverageLog;
import dev.warmup.insight.FirstUserLatencyLog;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;

/**
 * {@link EnableAutoConfiguration Auto-configuration} of what tells, at a gateway, whether
 * warm-up kept its promise: what the first users met, and what they send that runs do
 * not.
 */
@AutoConfiguration(after = WarmupGatewayAutoConfiguration.class, before = TaskSchedulingAutoConfiguration.class,
		afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnClass(GlobalFilter.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnBooleanProperty(name = "warmup.enabled", matchIfMissing = true)
@EnableScheduling
public final class WarmupTruthAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	Coverage warmupCoverage() {
		return new Coverage(Clock.systemUTC());
	}

	@Bean
	@ConditionalOnMissingBean
	CoverageFilter warmupCoverageFilter(Coverage coverage) {
		return new CoverageFilter(coverage);
	}

	@Bean
	@ConditionalOnMissingBean
	CoverageLog warmupCoverageLog(Coverage coverage) {
		return new CoverageLog(coverage);
	}

	@Bean
	@ConditionalOnMissingBean
	FirstUserLatencyLog warmupTruthLog(WarmupProperties properties, Fleet fleet, Coverage coverage) {
		return new FirstUserLatencyLog(properties.truth().factor(), fleet, coverage::report);
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterRegistry.class)
	@ConditionalOnBean(MeterRegistry.class)
	static class MeterConfiguration {

		@Bean
		@ConditionalOnMissingBean
		CoverageMeter warmupCoverageMeter(MeterRegistry registry, Coverage coverage) {
			return new CoverageMeter(registry, coverage);
		}

	}

}
