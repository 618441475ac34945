package dev.warmup.registry;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import com.netflix.appinfo.InstanceInfo;
import com.netflix.appinfo.InstanceInfo.InstanceStatus;
import dev.warmup.RunningApplication;
import jakarta.servlet.Filter;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.cloud.netflix.eureka.server.EnableEurekaServer;
import org.springframework.cloud.netflix.eureka.server.event.EurekaInstanceRegisteredEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.ReactorResourceFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A real Eureka server on a port of its own. Records registrations, and counts look-ups
 * of single instances.
 */
final class RegistryServer implements AutoCloseable {

	/** Less than the 30 s of a periodic replication. */
	private static final Duration LIMIT = Duration.ofSeconds(25);

	private final RunningApplication application;

	private final Server server;

	RegistryServer(String... properties) {
		Stream<String> own = Stream.of("warmup.enabled=false", "spring.application.name=eureka",
				"eureka.client.enabled=true", "eureka.client.register-with-eureka=false",
				"eureka.client.fetch-registry=false", "eureka.instance.hostname=localhost",
				"eureka.server.enable-self-preservation=false", "eureka.server.eviction-interval-timer-in-ms=500",
				"eureka.server.use-read-only-response-cache=false", "eureka.server.wait-time-in-ms-when-sync-empty=0");
		this.application = RunningApplication.service(Server.class, WebApplicationType.SERVLET,
				Stream.concat(own, Stream.of(properties)).toArray(String[]::new));
		this.server = this.application.bean(Server.class);
	}

	/** A port for a server that starts later. */
	static int freePort() {
		try (ServerSocket socket = new ServerSocket(0)) {
			return socket.getLocalPort();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	String url() {
		return this.application.address() + "/eureka/";
	}

	/** The number of look-ups of single instances. */
	int lookups() {
		return this.server.lookups.get();
	}

	/** Answers no request for the registry until what this returns is run. */
	Runnable hold() {
		CountDownLatch latch = new CountDownLatch(1);
		this.server.held = latch;
		return latch::countDown;
	}

	/** Whether a request waits for that. */
	boolean isHolding() {
		return this.server.holding;
	}

	/** Registers an instance as a client would, for an hour. */
	void register(String app, String instanceId, String status, URI address, String metadata) {
		Map<String, Object> instance = new HashMap<>(Map.of("instanceId", instanceId, "app", app, "hostName",
				address.getHost(), "ipAddr", "127.0.0.1", "status", status, "vipAddress", app.toLowerCase(Locale.ROOT),
				"port", Map.of("$", address.getPort(), "@enabled", "true"), "metadata",
				Map.of(Registered.METADATA_KEY, metadata), "leaseInfo", Map.of("durationInSecs", 3600)));
		instance.put("dataCenterInfo",
				Map.of("@class", "com.netflix.appinfo.InstanceInfo$DefaultDataCenterInfo", "name", "MyOwn"));
		String body = JsonMapper.shared().writeValueAsString(Map.of("instance", instance));
		assertThat(
				this.application.send(HttpMethod.POST, "/eureka/apps/" + app, body, "Content-Type", "application/json")
					.statusCode())
			.isEqualTo(204);
	}

	/** The registrations of an instance, the oldest first. */
	List<InstanceInfo> registrations(String id) {
		return this.server.registrations.stream().filter((each) -> each.getId().equals(id)).toList();
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

	private Optional<JsonNode> instance(String id) {
		HttpResponse<String> answer = send(HttpMethod.GET, "/eureka/instances/" + id);
		return (answer.statusCode() == 200) ? Optional.of(JsonMapper.shared().readTree(answer.body()))
				: Optional.empty();
	}

	/** Removes the instance without its client's knowledge, as an eviction does. */
	void forget(String id) {
		assertThat(send(HttpMethod.DELETE, "/eureka/apps/CHAT/" + id).statusCode()).isEqualTo(200);
	}

	/** Sets a status as an operator does. */
	void override(String id, String status) {
		assertThat(send(HttpMethod.PUT, "/eureka/apps/CHAT/" + id + "/status?value=" + status).statusCode())
			.isEqualTo(200);
	}

	private HttpResponse<String> send(HttpMethod method, String path) {
		return this.application.send(method, path, "", "Accept", "application/json");
	}

	void awaitStatus(String id, String... statuses) {
		Awaitility.await(String.join(" or ", statuses))
			.atMost(LIMIT)
			.untilAsserted(
					() -> assertThat(status(id)).get(InstanceOfAssertFactories.STRING).isIn((Object[]) statuses));
	}

	void awaitMetadata(String id, String key, String value) {
		Awaitility.await(value)
			.atMost(LIMIT)
			.untilAsserted(() -> assertThat(instance(id))
				.map((instance) -> instance.at("/instance/metadata/" + key).asString())
				.hasValue(value));
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

	@Override
	public void close() {
		this.application.close();
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableEurekaServer
	static class Server {

		private final List<InstanceInfo> registrations = new CopyOnWriteArrayList<>();

		private final AtomicInteger lookups = new AtomicInteger();

		private volatile CountDownLatch held = new CountDownLatch(0);

		private volatile boolean holding;

		@EventListener
		void registered(EurekaInstanceRegisteredEvent event) {
			if (!event.isReplication()) {
				this.registrations.add(new InstanceInfo(event.getInstanceInfo()));
			}
		}

		@Bean
		FilterRegistrationBean<Filter> counter() {
			FilterRegistrationBean<Filter> counter = new FilterRegistrationBean<>((request, response, chain) -> {
				this.lookups.incrementAndGet();
				chain.doFilter(request, response);
			});
			counter.addUrlPatterns("/eureka/instances/*");
			counter.setOrder(Integer.MIN_VALUE);
			return counter;
		}

		@Bean
		FilterRegistrationBean<Filter> holder() {
			FilterRegistrationBean<Filter> holder = new FilterRegistrationBean<>((request, response, chain) -> {
				this.holding = this.held.getCount() > 0;
				try {
					this.held.await();
				}
				catch (InterruptedException ex) {
					throw new IllegalStateException(ex);
				}
				chain.doFilter(request, response);
			});
			holder.addUrlPatterns("/eureka/apps/*");
			holder.setOrder(Integer.MIN_VALUE);
			return holder;
		}

		/** Closing it must not close the event loops of the services. */
		@Bean
		ReactorResourceFactory reactorResources() {
			ReactorResourceFactory resources = new ReactorResourceFactory();
			resources.setUseGlobalResources(false);
			return resources;
		}

	}

}
