package dev.warmup;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.core.WireMockConfiguration;
import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.ReactorResourceFactory;

/** A real application with a real server on a free port, and a client of it. */
public final class RunningApplication implements AutoCloseable {

	/** Otherwise the first application of a JVM that stops stops the threads of all. */
	public static final BeanPostProcessor OWN_THREADS = new BeanPostProcessor() {

		@Override
		public Object postProcessBeforeInitialization(Object bean, String name) {
			if (bean instanceof ReactorResourceFactory resources) {
				resources.setUseGlobalResources(false);
			}
			return bean;
		}

	};

	private static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	private static final Duration LIMIT = Duration.ofSeconds(60);

	private final ConfigurableApplicationContext context;

	private RunningApplication(ConfigurableApplicationContext context) {
		this.context = context;
	}

	/** Starts a service without runs, so that the test decides when its gate opens. */
	public static RunningApplication withoutRuns(Class<?> source, WebApplicationType type, String... properties) {
		return service(source, type,
				Stream
					.concat(Stream.of("spring.autoconfigure.exclude=dev.warmup.run.WarmupRunAutoConfiguration"),
							Stream.of(properties))
					.toArray(String[]::new));
	}

	/** Starts a service: the gateway's classes, which the tests have, are hidden. */
	public static RunningApplication service(Class<?> source, WebApplicationType type, String... properties) {
		SpringApplication application = new SpringApplication(
				new DefaultResourceLoader(new FilteredClassLoader(GlobalFilter.class)), source);
		application.setWebApplicationType(type);
		return start(application, "spring.cloud.gateway.server.webflux.enabled=false", properties);
	}

	public static RunningApplication gateway(Class<?> source, String... properties) {
		SpringApplication application = new SpringApplication(source);
		application.setWebApplicationType(WebApplicationType.REACTIVE);
		return start(application, "spring.cloud.gateway.server.webflux.metrics.enabled=true", properties);
	}

	private static RunningApplication start(SpringApplication application, String first, String... properties) {
		Stream<String> ours = Stream.of(first, "server.port=0", "spring.main.banner-mode=off",
				"management.endpoints.web.exposure.include=warmup,metrics,health");
		Map<String, String> lastWins = new LinkedHashMap<>();
		Stream.concat(ours, Stream.of(properties))
			.forEach((each) -> lastWins.put(each.replaceFirst("=.*", ""), "--" + each));
		String[] arguments = lastWins.values().toArray(String[]::new);
		application.setDefaultProperties(
				Map.of("eureka.client.enabled", "false", "spring.cloud.loadbalancer.cache.enabled", "false"));
		application.addInitializers((context) -> context.getBeanFactory().addBeanPostProcessor(OWN_THREADS));
		return new RunningApplication(application.run(arguments));
	}

	public <T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	public void publish(ApplicationEvent event) {
		this.context.publishEvent(event);
	}

	public String address() {
		return "http://localhost:" + this.context.getEnvironment().getProperty("local.server.port");
	}

	public int port() {
		return URI.create(address()).getPort();
	}

	/** Sends a request; headers are names and values by turns. */
	public HttpResponse<String> send(HttpMethod method, String path, String body, String... headers) {
		try {
			return CLIENT.send(request(method, path, body, headers), BodyHandlers.ofString());
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	private HttpRequest request(HttpMethod method, String path, String body, String... headers) {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address() + path))
			.timeout(LIMIT)
			.method(method.name(), body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
		if (headers.length > 0) {
			request.headers(headers);
		}
		return request.build();
	}

	public static void await(Callable<Boolean> condition) {
		Awaitility.await().atMost(LIMIT).until(condition);
	}

	/** Starts a server on a free port, whose answers a test sets. */
	public static WireMockServer stub() {
		WireMockServer server = new WireMockServer(WireMockConfiguration.options().dynamicPort());
		server.start();
		return server;
	}

	public HttpResponse<String> get(String path, String... headers) {
		return send(HttpMethod.GET, path, "", headers);
	}

	public JsonNode json(String path) {
		HttpResponse<String> answer = get(path);
		if (answer.statusCode() != 200) {
			throw new IllegalStateException(path + " answered " + answer.statusCode() + ": " + answer.body());
		}
		return JsonMapper.shared().readTree(answer.body());
	}

	/** How often a timer or counter was hit, by what the actuator says. */
	public long count(String meter, String... tags) {
		HttpResponse<String> answer = get("/actuator/metrics/" + meter + "?tag=" + String.join("&tag=", tags));
		return (answer.statusCode() != 200) ? 0
				: JsonMapper.shared().readTree(answer.body()).at("/measurements/0/value").asLong();
	}

	@Override
	public void close() {
		this.context.close();
	}

	/** An application with nothing of its own. */
	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	public static class Plain {

	}

}
