package dev.warmup.autoconfigure;

import java.time.Clock;

import dev.warmup.discovery.ClaimVerifier;
import dev.warmup.discovery.Verification;
import dev.warmup.protocol.InternalPaths;
import dev.warmup.run.WarmupRunner;
import dev.warmup.run.WarmupState;
import dev.warmup.web.GatewayWarmupServletFilter;
import dev.warmup.web.GatewayWarmupWebFilter;
import dev.warmup.web.GatewayWarmups;
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
	GatewayWarmups warmupAskedRuns(ObjectProvider<ClaimVerifier> verifier, WarmupProperties properties,
			WarmupRunner runner, WarmupState state) {
		return new GatewayWarmups(verifier.getIfAvailable(() -> (claim) -> Mono.just(new Verification.Unavailable())),
				properties.gateway().serviceId(), runner, state, Clock.systemUTC());
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(WebFilter.class)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
	static class ReactiveConfiguration {

		@Bean
		@ConditionalOnMissingBean
		GatewayWarmupWebFilter warmupAskedWebFilter(GatewayWarmups runs) {
			return new GatewayWarmupWebFilter(runs);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ Filter.class, FilterRegistrationBean.class })
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	static class ServletConfiguration {

		@Bean
		@ConditionalOnMissingBean(name = "warmupAskedServletFilter")
		FilterRegistrationBean<GatewayWarmupServletFilter> warmupAskedServletFilter(GatewayWarmups runs) {
			FilterRegistrationBean<GatewayWarmupServletFilter> filter = new FilterRegistrationBean<>(
					new GatewayWarmupServletFilter(runs));
			filter.addUrlPatterns(InternalPaths.ASK_PATH + "*");
			filter.setOrder(GatewayWarmupServletFilter.ORDER);
			return filter;
		}

	}

}
