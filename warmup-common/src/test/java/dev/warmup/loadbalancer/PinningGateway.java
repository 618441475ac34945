package dev.warmup.loadbalancer;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

import dev.warmup.RunningApplication;
import dev.warmup.gateway.GatewayFixture;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.ReactiveDiscoveryClient;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.loadbalancer.annotation.LoadBalancerClient;
import org.springframework.cloud.loadbalancer.annotation.LoadBalancerClients;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;

/**
 * A gateway with odd load balancers, whose registry the test sets. It pins a request to
 * the instance that its header {@code Pin} names.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@LoadBalancerClients({ @LoadBalancerClient(name = "random", configuration = CustomLoadBalancers.RandomChoice.class),
		@LoadBalancerClient(name = "own", configuration = CustomLoadBalancers.OwnSupplier.class),
		@LoadBalancerClient(name = "preferring", configuration = CustomLoadBalancers.OwnPreference.class) })
class PinningGateway {

	/** Services with a route each, {@code /name/**}. */
	private static final List<String> SERVICES = List.of("trio", "random", "own", "preferring", "zoned", "weighted",
			"sticky", "same", "six", "tls", "based", "opened", "retried", "gone", "leaving", "dead");

	static RunningApplication start(Class<?> source) {
		GatewayFixture fixture = new GatewayFixture().with(
				"spring.cloud.gateway.server.webflux.httpclient.ssl.use-insecure-trust-manager=true",
				"spring.cloud.loadbalancer.zone=east", "spring.cloud.loadbalancer.retry.enabled=true",
				"spring.cloud.loadbalancer.retry.avoid-previous-instance=false");
		Map.of("zoned", "zone-preference", "weighted", "weighted", "sticky", "request-based-sticky-session", "same",
				"same-instance-preference")
			.forEach((service, name) -> fixture.with(client(service, "configurations", name)));
		List.of("retried", "zoned", "sticky", "gone")
			.forEach((service) -> fixture.with(client(service, "retry.avoid-previous-instance", "true")));
		for (String service : SERVICES) {
			String[] filters = service.equals("based") ? new String[] { "StripPrefix=1", "PrefixPath=/base/path" }
					: new String[] { "StripPrefix=1" };
			fixture.route(service, "lb://" + service, "/" + service + "/**", filters);
		}
		return fixture.start(source);
	}

	private static String client(String service, String property, String value) {
		return "spring.cloud.loadbalancer.clients." + service + "." + property + "=" + value;
	}

	@Bean
	Registry registry() {
		return new Registry();
	}

	@Bean
	Pins pins() {
		return new Pins(new ConcurrentHashMap<>());
	}

	/** The instances to pin to, by the header that names them. */
	record Pins(Map<String, ServiceInstance> instances) implements GlobalFilter, Ordered {

		@Override
		public int getOrder() {
			return 0;
		}

		@Override
		public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
			ServiceInstance pinned = this.instances
				.get(Objects.requireNonNullElse(exchange.getRequest().getHeaders().getFirst("Pin"), ""));
			if (pinned != null) {
				exchange.getAttributes().put(PinningPostProcessor.ATTRIBUTE, pinned);
			}
			return chain.filter(exchange);
		}

	}

	/** A registry whose instances the test sets. */
	static final class Registry implements ReactiveDiscoveryClient {

		private final Map<String, List<ServiceInstance>> services = new ConcurrentHashMap<>();

		void list(String service, ServiceInstance... instances) {
			this.services.put(service, List.of(instances));
		}

		@Override
		public String description() {
			return "a test's registry";
		}

		@Override
		public Flux<ServiceInstance> getInstances(String serviceId) {
			return Flux.defer(() -> Flux.fromIterable(this.services.getOrDefault(serviceId, List.of())));
		}

		@Override
		public Flux<String> getServices() {
			return Flux.defer(() -> Flux.fromIterable(this.services.keySet()));
		}

	}

}
