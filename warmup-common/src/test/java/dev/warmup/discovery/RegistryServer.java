package dev.warmup.discovery;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import com.netflix.appinfo.InstanceInfo;
import com.netflix.appinfo.InstanceInfo.InstanceStatus;
import dev.warmup.protocol.WarmupKey;
import jakarta.servlet.Filter;
import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.cloud.netflix.eureka.server.EnableEurekaServer;
import org.springframework.cloud.netflix.eureka.server.event.EurekaInstanceRegisteredEvent;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.http.client.ReactorResourceFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A real Eureka server on a port of its own, which can be stopped and started again,
 * empty. Records registrations, and counts look-ups of single instances.
 */
final class RegistryServer implements AutoCloseable {

	private static final HttpClient CLIENT = HttpClient.newHttpClient();

	/** Less than the 30 s of a periodic replication. */
	private static final Duration LIMIT = Duration.ofSeconds(25);

	private final int port = freePort();

	private final List<InstanceInfo> registrations = new CopyOnWriteArrayList<>();

	private final AtomicInteger lookups = new AtomicInteger();

	private Optional<ConfigurableApplicationContext> context = Optional.empty();

	void start() {
		ApplicationListener<EurekaInstanceRegisteredEvent> recorder = (event) -> {
			if (!event.isReplication()) {
				this.registrations.add(new InstanceInfo(event.getInstanceInfo()));
			}
		};
		FilterRegistrationBean<Filter> counter = new FilterRegistrationBean<>((request, response, chain) -> {
			this.lookups.incrementAndGet();
			chain.doFilter(request, response);
		});
		counter.addUrlPatterns("/eureka/instances/*");
		counter.setOrder(Integer.MIN_VALUE);
		ApplicationContextInitializer<GenericApplicationContext> beans = (context) -> context
			.registerBean(FilterRegistrationBean.class, () -> counter);
		this.context = Optional.of(new SpringApplicationBuilder(Server.class).web(WebApplicationType.SERVLET)
			.initializers(beans)
			.listeners(recorder)
			.run("--server.port=" + this.port, "--spring.main.banner-mode=off", "--warmup.enabled=false",
					"--spring.application.name=eureka", "--spring.cloud.gateway.server.webflux.enabled=false",
					"--eureka.client.register-with-eureka=false", "--eureka.client.fetch-registry=false",
					"--eureka.client.service-url.defaultZone=" + url(), "--eureka.instance.hostname=localhost",
					"--eureka.server.enable-self-preservation=false",
					"--eureka.server.eviction-interval-timer-in-ms=500",
					"--eureka.server.use-read-only-response-cache=false",
					"--eureka.server.wait-time-in-ms-when-sync-empty=0"));
	}

	void stop() {
		this.context.ifPresent(ConfigurableApplicationContext::close);
		this.context = Optional.empty();
	}

	String url() {
		return "http://localhost:" + this.port + "/eureka/";
	}

	/** The number of look-ups of single instances. */
	int lookups() {
		return this.lookups.get();
	}

	/** Registers an instance as a client would, with its key. */
	void register(String instanceId, String status, URI address, String jwk) {
		Map<String, Object> instance = Map.of("instanceId", instanceId, "app", "CHAT-SERVICE", "hostName",
				address.getHost(), "ipAddr", "127.0.0.1", "status", status, "vipAddress", "chat-service", "port",
				Map.of("$", address.getPort(), "@enabled", "true"), "dataCenterInfo",
				Map.of("@class", "com.netflix.appinfo.InstanceInfo$DefaultDataCenterInfo", "name", "MyOwn"), "metadata",
				Map.of(WarmupKey.METADATA_KEY, jwk));
		HttpRequest request = HttpRequest.newBuilder(URI.create(url() + "apps/CHAT-SERVICE"))
			.header("Content-Type", "application/json")
			.POST(BodyPublishers.ofString(JsonMapper.shared().writeValueAsString(Map.of("instance", instance))))
			.build();
		assertThat(send(request).statusCode()).isEqualTo(204);
	}

	/** The registrations of an instance, the oldest first. */
	List<InstanceInfo> registrations(String id) {
		return this.registrations.stream().filter((each) -> each.getId().equals(id)).toList();
	}

	List<InstanceStatus> registeredStatuses(String id) {
		return registrations(id).stream().map(InstanceInfo::getStatus).toList();
	}

	/**
	 * The status by the server's REST interface; empty when it knows no such instance.
	 */
	Optional<String> status(String id) {
		return instance(id).map((instance) -> instance.at("/instance/status").asString());
	}

	Optional<JsonNode> instance(String id) {
		HttpResponse<String> answer = send("GET", id);
		return (answer.statusCode() == 200) ? Optional.of(JsonMapper.shared().readTree(answer.body()))
				: Optional.empty();
	}

	/** Removes the instance without its client's knowledge, as an eviction does. */
	void forget(String id) {
		assertThat(send("DELETE", id).statusCode()).isEqualTo(200);
	}

	void awaitStatus(String id, String status) {
		Awaitility.await(status).atMost(LIMIT).untilAsserted(() -> assertThat(status(id)).hasValue(status));
	}

	/** Waits until the client has renewed its lease once more. */
	void awaitRenewal(String id) {
		long before = lastRenewal(id);
		Awaitility.await().atMost(LIMIT).until(() -> lastRenewal(id) > before);
	}

	private long lastRenewal(String id) {
		return instance(id).map((instance) -> instance.at("/instance/leaseInfo/lastRenewalTimestamp").asLong())
			.orElse(0L);
	}

	private HttpResponse<String> send(String method, String id) {
		return send(HttpRequest.newBuilder(URI.create(url() + "apps/CHAT/" + id))
			.header("Accept", "application/json")
			.timeout(LIMIT)
			.method(method, BodyPublishers.noBody())
			.build());
	}

	private static HttpResponse<String> send(HttpRequest request) {
		try {
			return CLIENT.send(request, BodyHandlers.ofString());
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	private static int freePort() {
		try (ServerSocket socket = new ServerSocket(0)) {
			return socket.getLocalPort();
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void close() {
		stop();
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableEurekaServer
	static class Server {

		/** Closing it must not close the event loops of the services. */
		@Bean
		ReactorResourceFactory reactorResources() {
			ReactorResourceFactory resources = new ReactorResourceFactory();
			resources.setUseGlobalResources(false);
			return resources;
		}

	}

}
