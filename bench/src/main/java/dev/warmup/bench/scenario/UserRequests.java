package dev.warmup.bench.scenario;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.web.context.reactive.AnnotationConfigReactiveWebApplicationContext;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.gateway.filter.NettyRoutingFilter;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.env.MapPropertySource;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.http.server.reactive.MockServerHttpResponse;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;

/**
 * A user's request through a whole application, short of the network, with the library
 * turned on or off. Nothing warms meanwhile: without a server no application gets ready.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings("NullAway.Init") // JMH sets the parameters and calls start()
public class UserRequests {

	private static final String PATH = "/chat-service/rooms";

	/** The application that receives the request. */
	@Param({ "gateway", "service" })
	public String application;

	/** Whether the library is turned on. */
	@Param({ "false", "true" })
	public boolean library;

	private ConfigurableApplicationContext context;

	private IntSupplier request;

	/** Starts the application, and makes sure that it answers. */
	@Setup
	public void start() {
		if (this.application.equals("gateway")) {
			startGateway();
		}
		else {
			startService();
		}
		if (request() != HttpStatus.OK.value()) {
			throw new IllegalStateException("%s answers with %d".formatted(this.application, request()));
		}
	}

	private void startGateway() {
		AnnotationConfigReactiveWebApplicationContext gateway = new AnnotationConfigReactiveWebApplicationContext();
		String route = "spring.cloud.gateway.server.webflux.routes[0].";
		String instance = "spring.cloud.discovery.client.simple.instances.chat-service[0].";
		refresh(gateway,
				Map.of("spring.application.name", "gateway", route + "id", "chat-service", route + "uri",
						"lb://chat-service", route + "predicates[0]", "Path=/chat-service/**", route + "filters[0]",
						"StripPrefix=1", instance + "uri", "http://127.0.0.1:8080", instance + "instance-id", "chat-1"),
				Answering.class);
	}

	/** Hides the gateway's classes, as they are missing where a service runs. */
	private void startService() {
		AnnotationConfigReactiveWebApplicationContext service = new AnnotationConfigReactiveWebApplicationContext();
		service.setClassLoader(new FilteredClassLoader(GlobalFilter.class));
		refresh(service, Map.of("spring.application.name", "chat-service",
				"spring.cloud.gateway.server.webflux.enabled", "false"), Rooms.class);
	}

	private void refresh(AnnotationConfigReactiveWebApplicationContext application, Map<String, String> properties,
			Class<?> configuration) {
		Map<String, Object> all = new LinkedHashMap<>(properties);
		all.put("warmup.enabled", this.library);
		all.put("logging.level.root", "WARN");
		application.getEnvironment().getPropertySources().addFirst(new MapPropertySource("bench", all));
		application.register(configuration);
		application.refresh();
		this.context = application;
		HttpHandler handler = application.getBean(HttpHandler.class);
		this.request = () -> {
			MockServerHttpResponse response = new MockServerHttpResponse();
			handler.handle(MockServerHttpRequest.method(HttpMethod.GET, URI.create(PATH)).build(), response).block();
			return (response.getStatusCode() != null) ? response.getStatusCode().value() : HttpStatus.OK.value();
		};
	}

	/** Sends a user's request. */
	@Benchmark
	public int request() {
		return this.request.getAsInt();
	}

	/** Stops the application. */
	@TearDown
	public void stop() {
		this.context.close();
	}

	/** A gateway that answers instead of sending the request on. */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Answering {

		@Bean
		GlobalFilter answer() {
			return new AnsweringFilter();
		}

	}

	/** Answers 200 right before the request would leave the gateway. */
	static final class AnsweringFilter implements GlobalFilter, Ordered {

		@Override
		public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
			exchange.getResponse().setStatusCode(HttpStatus.OK);
			return exchange.getResponse().setComplete();
		}

		@Override
		public int getOrder() {
			return NettyRoutingFilter.ORDER - 1;
		}

	}

	/** A service with one endpoint. */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@RestController
	static class Rooms {

		@GetMapping(PATH)
		String rooms() {
			return "[]";
		}

	}

}
