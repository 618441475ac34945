package dev.warmup.loadbalancer;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.warmup.RunningApplication;
import reactor.core.publisher.Mono;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.loadbalancer.annotation.LoadBalancerClient;
import org.springframework.cloud.loadbalancer.annotation.LoadBalancerClients;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;

/** A gateway that pins a request to the instance that its header {@code Pin} names. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@LoadBalancerClients({ @LoadBalancerClient(name = "random", configuration = RandomChoice.class),
		@LoadBalancerClient(name = "own", configuration = OwnSupplier.class),
		@LoadBalancerClient(name = "preferring", configuration = OwnPreference.class) })
class PinningGateway {

	/** Services with a route each, {@code /name/**}. */
	static final List<String> SERVICES = List.of("trio", "hidden", "empty", "random", "own", "preferring", "zoned",
			"weighted", "sticky", "same", "six", "tls", "based", "opened", "known", "minute", "gone", "leaving", "last",
			"dead", "CASED");

	static RunningApplication start(Class<?> source, String... more) {
		List<String> properties = new ArrayList<>(List.of(more));
		properties.add("spring.application.name=gateway");
		properties.add(RunningApplication.EAGER + String.join(",", SERVICES));
		properties.add("spring.cloud.gateway.server.webflux.httpclient.ssl.use-insecure-trust-manager=true");
		properties.add("spring.cloud.loadbalancer.zone=east");
		configuration(properties, "zoned", "zone-preference");
		configuration(properties, "weighted", "weighted");
		configuration(properties, "sticky", "request-based-sticky-session");
		configuration(properties, "same", "same-instance-preference");
		for (int i = 0; i < SERVICES.size(); i++) {
			String service = SERVICES.get(i);
			String route = "spring.cloud.gateway.server.webflux.routes[" + i + "].";
			properties.add(route + "id=" + service);
			properties.add(route + "uri=lb://" + service);
			properties.add(route + "predicates[0]=Path=/" + service + "/**");
			properties.add(route + "filters[0]=StripPrefix=1");
			if (service.equals("based")) {
				properties.add(route + "filters[1]=PrefixPath=/base/path");
			}
		}
		return RunningApplication.gateway(source, properties.toArray(String[]::new));
	}

	private static void configuration(List<String> properties, String service, String name) {
		properties.add("spring.cloud.loadbalancer.clients." + service + ".configurations=" + name);
	}

	@Bean
	Registry registry() {
		return new Registry();
	}

	@Bean
	Pins pins() {
		return new Pins(new ConcurrentHashMap<>());
	}

	@Bean
	PinFilter pinFilter(Pins pins) {
		return new PinFilter(pins);
	}

	record PinFilter(Pins pins) implements GlobalFilter, Ordered {

		@Override
		public int getOrder() {
			return 0;
		}

		@Override
		public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
			String name = exchange.getRequest().getHeaders().getFirst("Pin");
			if (name != null && this.pins.instances().containsKey(name)) {
				exchange.getAttributes().put(PinningPostProcessor.ATTRIBUTE, this.pins.instances().get(name));
			}
			return chain.filter(exchange);
		}

	}

	record Pins(Map<String, ServiceInstance> instances) {

	}

}
