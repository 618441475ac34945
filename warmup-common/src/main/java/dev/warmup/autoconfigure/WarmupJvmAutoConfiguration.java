package dev.warmup.autoconfigure;

import dev.warmup.insight.ClassReport;
import dev.warmup.insight.CompilerObserver;
import dev.warmup.insight.CompilerQueue;
import dev.warmup.protocol.InstanceSource;
import dev.warmup.run.WarmupRunner;
import org.slf4j.LoggerFactory;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * {@link EnableAutoConfiguration Auto-configuration} of what a run tells of the JVM; each
 * bean gives way to the application's own.
 */
@AutoConfiguration(after = WarmupReplayAutoConfiguration.class)
@ConditionalOnBean(WarmupRunner.class)
public final class WarmupJvmAutoConfiguration {

	/** Its module, {@code jdk.jfr}, may be left out of a runtime image. */
	private static final String FLIGHT_RECORDER = "jdk.jfr.Recording";

	@Bean
	@ConditionalOnMissingBean
	CompilerObserver warmupCompilerWatch() {
		return new CompilerObserver(CompilerQueue::now);
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(name = FLIGHT_RECORDER)
	@ConditionalOnBooleanProperty("warmup.report.classes")
	static class FlightRecorderConfiguration {

		@Bean
		@ConditionalOnMissingBean
		ClassReport warmupClassReport(InstanceSource instance, WarmupProperties properties) {
			return new ClassReport(instance, properties.report().place());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnMissingClass(FLIGHT_RECORDER)
	@ConditionalOnBooleanProperty("warmup.report.classes")
	static class NoFlightRecorderConfiguration {

		NoFlightRecorderConfiguration() {
			LoggerFactory.getLogger(ClassReport.class)
				.warn("warmup.report.classes has no effect: this JVM has no Flight Recorder (module jdk.jfr)");
		}

	}

}
