package dev.warmup.autoconfigure;

import dev.warmup.web.WebConfiguration;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.http.client.autoconfigure.imperative.ImperativeHttpClientsProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * {@link EnableAutoConfiguration Auto-configuration} of filters: the answer to a startup
 * probe, everywhere and also when warming is off; in services the filter that separates
 * warm-up from users, the answer to a gateway that requests a run, and the mark that
 * calls to other services carry. The clients that Spring Boot builds stay those that the
 * application had.
 */
@AutoConfiguration(after = { WarmupRunAutoConfiguration.class, WarmupGatewayAutoConfiguration.class })
@Import(WebConfiguration.class)
public final class WarmupWebAutoConfiguration {

	/**
	 * In a servlet application that has no other reason for another client: Spring Boot
	 * would build its RestClient and RestTemplate on the Reactor Netty that this library
	 * brings.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	@ConditionalOnClass(name = "java.net.http.HttpClient", value = ImperativeHttpClientsProperties.class)
	@ConditionalOnMissingClass({ "org.apache.hc.client5.http.impl.classic.HttpClients",
			"org.eclipse.jetty.client.HttpClient",
			"org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration" })
	static class ClientConfiguration {

		@Bean
		static BeanPostProcessor warmupClientsOfTheJdk() {
			return new BeanPostProcessor() {

				@Override
				public Object postProcessAfterInitialization(Object bean, String beanName) {
					if (bean instanceof ImperativeHttpClientsProperties clients && clients.getFactory() == null) {
						clients.setFactory(ImperativeHttpClientsProperties.Factory.JDK);
					}
					return bean;
				}

			};
		}

	}

}
