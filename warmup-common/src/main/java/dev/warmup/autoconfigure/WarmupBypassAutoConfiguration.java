package dev.warmup.autoconfigure;

import dev.warmup.gateway.BypassPostProcessor;
import dev.warmup.gateway.SharedFilters;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.context.annotation.Bean;

/**
 * {@link EnableAutoConfiguration Auto-configuration} of the filters that warm-up bypasses
 * at a gateway: circuit breakers, limiters and retries, which users share.
 */
@AutoConfiguration
@ConditionalOnClass(GlobalFilter.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnBooleanProperty(name = { "warmup.enabled", "spring.cloud.gateway.server.webflux.enabled" },
		matchIfMissing = true)
public final class WarmupBypassAutoConfiguration {

	/** The application's own beans of this type add to it. */
	@Bean
	@ConditionalOnMissingBean(name = "warmupSharedFilters")
	SharedFilters warmupSharedFilters() {
		return SharedFilters.standard();
	}

	@Bean
	static BypassPostProcessor warmupBypass(ObjectProvider<SharedFilters> shared) {
		return new BypassPostProcessor(shared);
	}

}
