package dev.warmup.service;

import java.util.Map;
import java.util.stream.Stream;

import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.util.ClassUtils;

/**
 * Keeps the HTTP client that a servlet application had: Spring Boot would build its
 * RestClient and RestTemplate on the Reactor Netty that this library brings, where
 * nothing but the JDK's client was there before. Listed in
 * {@code META-INF/spring.factories}.
 */
final class JdkHttpClients implements EnvironmentPostProcessor {

	private static final String FACTORY = "spring.http.clients.imperative.factory";

	@Override
	public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
		ClassLoader loader = application.getClassLoader();
		boolean another = Stream
			.of("org.apache.hc.client5.http.impl.classic.HttpClients", "org.eclipse.jetty.client.HttpClient",
					"org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration")
			.anyMatch((name) -> ClassUtils.isPresent(name, loader));
		if (application.getWebApplicationType() == WebApplicationType.SERVLET && !another
				&& ClassUtils.isPresent("java.net.http.HttpClient", loader)) {
			environment.getPropertySources()
				.addLast(new MapPropertySource("warmupHttpClients", Map.of(FACTORY, "jdk")));
		}
	}

}
