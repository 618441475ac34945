package dev.warmup.gateway;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import dev.warmup.Claims;
import dev.warmup.RunningApplication;

/** Starts a gateway with instances in simple discovery and routes to them. */
public final class GatewayFixture {

	private final List<String> properties = new ArrayList<>(List.of("spring.application.name=gateway"));

	private final Set<String> balanced = new LinkedHashSet<>();

	private int routes;

	public GatewayFixture with(String... more) {
		this.properties.addAll(List.of(more));
		return this;
	}

	/** Registers instances that publish the keys of {@link Claims}. */
	public GatewayFixture instances(String service, String address, String... ids) {
		for (int i = 0; i < ids.length; i++) {
			String instance = "spring.cloud.discovery.client.simple.instances.%s[%d].".formatted(service, i);
			with(instance + "uri=" + address, instance + "instance-id=" + ids[i],
					instance + "metadata.warmup-jwk=" + Claims.jwk(ids[i]));
		}
		return this;
	}

	public GatewayFixture route(String id, String uri, String path, String... filters) {
		String route = "spring.cloud.gateway.server.webflux.routes[%d].".formatted(this.routes++);
		with(route + "id=" + id, route + "uri=" + uri, route + "predicates[0]=Path=" + path);
		for (int i = 0; i < filters.length; i++) {
			with(route + "filters[" + i + "]=" + filters[i]);
		}
		if (uri.startsWith("lb://")) {
			this.balanced.add(uri.substring("lb://".length()));
		}
		return this;
	}

	/** Registers {@code service-1}, and routes {@code /service/**} to it. */
	GatewayFixture service(String service, String address) {
		return instances(service, address, service + "-1").route(service + "-route", "lb://" + service,
				"/" + service + "/**", "StripPrefix=1");
	}

	public RunningApplication start() {
		return start(RunningApplication.Plain.class);
	}

	public RunningApplication start(Class<?> source) {
		with(RunningApplication.EAGER + String.join(",", this.balanced));
		return RunningApplication.gateway(source, this.properties.toArray(String[]::new));
	}

}
