package dev.warmup.autoconfigure;

import java.time.Clock;

import dev.warmup.asked.AskedRuns;
import dev.warmup.asked.AskedServletFilter;
import dev.warmup.asked.AskedWebFilter;
import dev.warmup.run.WarmupRunner;
import dev.warmup.run.WarmupState;
import dev.warmup.traffic.OwnTraffic;
import dev.warmup.verify.ClaimVerifier;
import dev.warmup.verify.Verification;
import jakarta.servlet.Filter;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.server.WebFilter;

/**
 * {@link EnableAutoConfiguration Auto-configuration} of the answer that a service gives
 * to a gateway that asks to be warmed.
 */
@AutoConfiguration(after = WarmupReplayAutoConfiguration.class)
@ConditionalOnClass(ServiceInstance.class)
@ConditionalOnBean(WarmupRunner.class)
public final class WarmupAskedAutoConfiguration {

	/** Without anybody to verify claims, nobody can tell who a gateway is. */
	@Bean
	@ConditionalOnMissingBean
	AskedRuns warmupAskedRuns(ObjectProvider<ClaimVerifier> verifier, WarmupProperties properties, WarmupRunner runner,
			WarmupState state) {
		return new AskedRuns(verifier.getIfAvailable(() -> (claim) -> Mono.just(new Verification.Unavailable())),
				properties.gateway().serviceId(), runner, state, Clock.systemUTC());
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(WebFilter.class)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
	static class ReactiveConfiguration {

		@Bean
		@ConditionalOnMissingBean
		AskedWebFilter warmupAskedWebFilter(AskedRuns runs) {
			return new AskedWebFilter(runs);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ Filter.class, FilterRegistrationBean.class })
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	static class ServletConfiguration {

		@Bean
		@ConditionalOnMissingBean(name = "warmupAskedServletFilter")
		FilterRegistrationBean<AskedServletFilter> warmupAskedServletFilter(AskedRuns runs) {
			FilterRegistrationBean<AskedServletFilter> filter = new FilterRegistrationBean<>(
					new AskedServletFilter(runs));
			filter.addUrlPatterns(OwnTraffic.ASK_PATH + "*");
			filter.setOrder(AskedServletFilter.ORDER);
			return filter;
		}

	}

}
