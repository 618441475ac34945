package dev.warmup.bench.scenario;

import java.util.Objects;
import java.util.concurrent.TimeUnit;

import dev.warmup.bench.variant.Site;
import dev.warmup.bench.variant.Variant;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.boot.web.context.reactive.AnnotationConfigReactiveWebApplicationContext;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.gateway.filter.NettyRoutingFilter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.http.server.reactive.MockServerHttpResponse;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;

/**
 * What a user's request costs with the library turned on and off, by JMH: time and
 * allocation of a whole gateway and of a whole service, short of the network. Nothing
 * warms meanwhile: without a server no application gets ready.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings("NullAway.Init") // JMH sets the parameters and calls start()
public class Overhead {

	private static final String PATH = "/chat-service/rooms";

	private static final String GATEWAY = """
			spring.application.name=gateway
			spring.cloud.gateway.server.webflux.routes[0].id=chat-service
			spring.cloud.gateway.server.webflux.routes[0].uri=lb://chat-service
			spring.cloud.gateway.server.webflux.routes[0].predicates[0]=Path=/chat-service/**
			spring.cloud.gateway.server.webflux.routes[0].filters[0]=StripPrefix=1
			spring.cloud.discovery.client.simple.instances.chat-service[0].uri=http://127.0.0.1:8080
			spring.cloud.discovery.client.simple.instances.chat-service[0].instance-id=chat-1
			""";

	private static final String SERVICE = """
			spring.application.name=chat-service
			spring.cloud.gateway.server.webflux.enabled=false
			""";

	/** The application that receives the request. */
	@Param({ "gateway", "service" })
	public String application;

	/** Whether the library is turned on. */
	@Param({ "false", "true" })
	public boolean library;

	private AnnotationConfigReactiveWebApplicationContext context;

	private HttpHandler handler;

	static void measure(Site site, Variant variant, Recorder recorder) {
		int iterations = site.quick() ? 1 : 5;
		OptionsBuilder options = new OptionsBuilder();
		options.include(Overhead.class.getName())
			.param("library", Boolean.toString(variant == Variant.OURS))
			.jvm(site.javaHome().resolve("bin/java").toString())
			.jvmArgsAppend("-Xms256m", "-Xmx256m")
			.addProfiler(GCProfiler.class)
			.shouldFailOnError(true)
			.forks(site.quick() ? 1 : 3)
			.warmupIterations(iterations)
			.warmupTime(TimeValue.seconds(1))
			.measurementIterations(iterations)
			.measurementTime(TimeValue.seconds(1));
		try {
			for (RunResult result : new Runner(options.build()).run()) {
				String part = result.getParams().getParam("application");
				recorder.record(part, "time", "ns", result.getPrimaryResult().getScore());
				double error = result.getPrimaryResult().getScoreError();
				if (!Double.isNaN(error)) { // of two values at least
					recorder.record(part, "time error", "ns", error);
				}
				recorder.record(part, "allocation", "B",
						Objects.requireNonNull(result.getSecondaryResults().get("gc.alloc.rate.norm")).getScore());
			}
		}
		catch (RunnerException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** Starts the application, and makes sure that it answers. */
	@Setup
	public void start() {
		boolean gateway = this.application.equals("gateway");
		this.context = new AnnotationConfigReactiveWebApplicationContext();
		if (!gateway) {
			// the gateway's classes are missing where a service runs
			this.context.setClassLoader(new FilteredClassLoader(GlobalFilter.class));
		}
		TestPropertyValues.of((gateway ? GATEWAY : SERVICE).lines())
			.and("warmup.enabled=" + this.library, "logging.level.root=WARN")
			.applyTo(this.context);
		this.context.register(gateway ? Gateway.class : Service.class);
		this.context.refresh();
		this.handler = this.context.getBean(HttpHandler.class);
		if (request() != HttpStatus.OK.value()) {
			throw new IllegalStateException("%s answers with %d".formatted(this.application, request()));
		}
	}

	/** Sends a user's request. */
	@Benchmark
	public int request() {
		MockServerHttpResponse response = new MockServerHttpResponse();
		this.handler.handle(MockServerHttpRequest.get(PATH).build(), response).block();
		return (response.getStatusCode() != null) ? response.getStatusCode().value() : HttpStatus.OK.value();
	}

	/** Stops the application. */
	@TearDown
	public void stop() {
		this.context.close();
	}

	/** A gateway that answers instead of sending the request on. */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Answer.class)
	static class Gateway {

	}

	/** Answers 200 right before the request would leave the gateway. */
	@Order(NettyRoutingFilter.ORDER - 1)
	static final class Answer implements GlobalFilter {

		@Override
		public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
			exchange.getResponse().setStatusCode(HttpStatus.OK);
			return exchange.getResponse().setComplete();
		}

	}

	/** A service with one endpoint. */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@RestController
	static class Service {

		@GetMapping(PATH)
		String rooms() {
			return "[]";
		}

	}

}
