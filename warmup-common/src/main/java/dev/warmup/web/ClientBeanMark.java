package dev.warmup.web;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * Marks what is sent by clients that the application makes as beans without Spring Boot's
 * builders, as is usual for {@code @LoadBalanced} ones. A client that is not a bean, such
 * as the library's own, is not touched.
 */
public final class ClientBeanMark implements BeanPostProcessor {

	private final WebClientMark webClients = new WebClientMark();

	private final RestClientMark restClients = new RestClientMark();

	@Override
	public Object postProcessBeforeInitialization(Object bean, String beanName) {
		if (bean instanceof WebClient.Builder builder) {
			builder.filter(this.webClients);
		}
		else if (bean instanceof RestClient.Builder builder) {
			this.restClients.addTo(builder);
		}
		else if (bean instanceof RestTemplate client) {
			this.restClients.addTo(client);
		}
		return bean;
	}

}
