package dev.warmup.autoconfigure;

import dev.warmup.web.ClientBeanMark;
import dev.warmup.web.RestClientMark;
import dev.warmup.web.WebClientMark;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.restclient.RestClientCustomizer;
import org.springframework.boot.restclient.RestTemplateCustomizer;
import org.springframework.boot.webclient.WebClientCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * {@link EnableAutoConfiguration Auto-configuration} of the mark that a service's calls
 * to others carry within a warm-up.
 */
@AutoConfiguration
@ConditionalOnWebApplication
@ConditionalOnMissingClass(WarmupAutoConfiguration.GATEWAY_CLASS)
@ConditionalOnBooleanProperty(name = "warmup.enabled", matchIfMissing = true)
public final class WarmupPropagationAutoConfiguration {

	/** Static, and needing no other bean, so that none is made too early for its sake. */
	@Bean
	@ConditionalOnMissingBean
	static ClientBeanMark warmupClientBeanMark() {
		return new ClientBeanMark();
	}

	/** For clients that are no beans: of the HTTP interfaces that Spring implements. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(WebClientCustomizer.class)
	static class WebClientConfiguration {

		@Bean
		@Order(Ordered.LOWEST_PRECEDENCE)
		@ConditionalOnMissingBean(name = "warmupWebClientCustomizer")
		WebClientCustomizer warmupWebClientCustomizer() {
			WebClientMark mark = new WebClientMark();
			return (builder) -> builder.filter(mark);
		}

	}

	/** For clients that are no beans, such as a RestTemplateBuilder makes. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(RestClientCustomizer.class)
	static class RestClientConfiguration {

		@Bean
		@Order(Ordered.LOWEST_PRECEDENCE)
		@ConditionalOnMissingBean(name = "warmupRestClientCustomizer")
		RestClientCustomizer warmupRestClientCustomizer() {
			return new RestClientMark()::addTo;
		}

		@Bean
		@Order(Ordered.LOWEST_PRECEDENCE)
		@ConditionalOnMissingBean(name = "warmupRestTemplateCustomizer")
		RestTemplateCustomizer warmupRestTemplateCustomizer() {
			return new RestClientMark()::addTo;
		}

	}

}
