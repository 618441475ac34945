package dev.warmup.autoconfigure;

import dev.warmup.protocol.Gate;
import dev.warmup.protocol.InstanceSource;
import dev.warmup.protocol.InternalPaths;
import dev.warmup.protocol.UserActivity;
import dev.warmup.protocol.WarmupToken;
import dev.warmup.run.WarmupRunner;
import dev.warmup.web.ReadyServletFilter;
import dev.warmup.web.ReadyWebFilter;
import dev.warmup.web.WarmupServletFilter;
import dev.warmup.web.WarmupWebFilter;
import jakarta.servlet.Filter;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.server.WebFilter;

/**
 * {@link EnableAutoConfiguration Auto-configuration} of the filters: one that answers a
 * startup probe, everywhere and also when warming is off, and one that tells warm-up from
 * users where there are runs.
 */
@AutoConfiguration(after = WarmupReplayAutoConfiguration.class)
public final class WarmupTrafficAutoConfiguration {

	/** Where nothing warms, users may come at once. */
	@Bean
	@ConditionalOnMissingBean
	Gate warmupOpenGate() {
		return Gate.open();
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(WebFilter.class)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
	static class ReactiveConfiguration {

		@Bean
		@ConditionalOnMissingBean
		ReadyWebFilter warmupReadyWebFilter(Gate gate) {
			return new ReadyWebFilter(gate::isOpen);
		}

		@Bean
		@ConditionalOnBean(WarmupRunner.class)
		@ConditionalOnMissingBean
		WarmupWebFilter warmupWebFilter(InstanceSource instance, WarmupToken token, UserActivity idleClock,
				InternalPaths ownTraffic) {
			return new WarmupWebFilter(() -> instance.get().instanceId(), token, idleClock, ownTraffic);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ Filter.class, FilterRegistrationBean.class })
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	static class ServletConfiguration {

		@Bean
		@ConditionalOnMissingBean(name = "warmupReadyServletFilter")
		FilterRegistrationBean<ReadyServletFilter> warmupReadyServletFilter(Gate gate) {
			FilterRegistrationBean<ReadyServletFilter> filter = new FilterRegistrationBean<>(
					new ReadyServletFilter(gate::isOpen));
			filter.addUrlPatterns(InternalPaths.READY_PATH);
			filter.setOrder(ReadyServletFilter.ORDER);
			return filter;
		}

		@Bean
		@ConditionalOnBean(WarmupRunner.class)
		@ConditionalOnMissingBean(name = "warmupServletFilter")
		FilterRegistrationBean<WarmupServletFilter> warmupServletFilter(InstanceSource instance, WarmupToken token,
				UserActivity idleClock, InternalPaths ownTraffic) {
			FilterRegistrationBean<WarmupServletFilter> filter = new FilterRegistrationBean<>(
					new WarmupServletFilter(() -> instance.get().instanceId(), token, idleClock, ownTraffic));
			filter.setOrder(WarmupServletFilter.ORDER);
			return filter;
		}

	}

}
