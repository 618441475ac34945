package dev.warmup.discovery;

import java.net.URI;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import dev.warmup.RunningApplication;
import dev.warmup.protocol.WarmupToken;
import jakarta.servlet.Filter;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.cloud.netflix.eureka.server.EnableEurekaServer;
import org.springframework.context.annotation.Bean;
import org.springframework.http.MediaType;
import org.springframework.web.client.RestClient;

/**
 * A real Eureka server on a free port, which counts how often it is asked for an
 * instance.
 */
public final class RunningEureka implements AutoCloseable {

	private final RunningApplication server;

	private RunningEureka(RunningApplication server) {
		this.server = server;
	}

	public static RunningEureka start() {
		return new RunningEureka(RunningApplication.service(Server.class, WebApplicationType.SERVLET,
				"spring.application.name=eureka", "eureka.client.enabled=true",
				"eureka.client.register-with-eureka=false", "eureka.client.fetch-registry=false",
				"eureka.instance.hostname=localhost", "warmup.enabled=false"));
	}

	/**
	 * What makes an application a client of this server that does not register itself.
	 */
	public String[] client(String... properties) {
		return clientOf(url(), properties);
	}

	static String[] clientOf(String servers, String... properties) {
		String[] all = new String[properties.length + 4];
		all[0] = "eureka.client.enabled=true";
		all[1] = "eureka.client.register-with-eureka=false";
		all[2] = "eureka.client.service-url.defaultZone=" + servers;
		all[3] = "eureka.client.jersey.enabled=false";
		System.arraycopy(properties, 0, all, 4, properties.length);
		return all;
	}

	public String url() {
		return this.server.address() + "/eureka/";
	}

	/** Registers an instance as a client would, with the hash of a token. */
	public void register(String service, String instanceId, String status, URI address, String token) {
		Map<String, Object> instance = Map.of("instanceId", instanceId, "app", service, "hostName", address.getHost(),
				"ipAddr", "127.0.0.1", "status", status, "vipAddress", service, "port",
				Map.of("$", address.getPort(), "@enabled", "true"), "dataCenterInfo",
				Map.of("@class", "com.netflix.appinfo.InstanceInfo$DefaultDataCenterInfo", "name", "MyOwn"), "metadata",
				Map.of(WarmupToken.METADATA_KEY, WarmupToken.of(token).sha256()));
		RestClient.create(url())
			.post()
			.uri("apps/{service}", service)
			.contentType(MediaType.APPLICATION_JSON)
			.body(JsonMapper.shared().writeValueAsString(Map.of("instance", instance)))
			.retrieve()
			.toBodilessEntity();
	}

	/** How often the server was asked for one instance. */
	public int questions() {
		return this.server.bean(Questions.class).count.get();
	}

	@Override
	public void close() {
		this.server.close();
	}

	static final class Questions {

		private final AtomicInteger count = new AtomicInteger();

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableEurekaServer
	static class Server {

		@Bean
		Questions questions() {
			return new Questions();
		}

		@Bean
		FilterRegistrationBean<Filter> counter(Questions questions) {
			FilterRegistrationBean<Filter> filter = new FilterRegistrationBean<>((request, response, chain) -> {
				questions.count.incrementAndGet();
				chain.doFilter(request, response);
			});
			filter.addUrlPatterns("/eureka/instances/*");
			filter.setOrder(Integer.MIN_VALUE);
			return filter;
		}

	}

}
