package dev.warmup.loadbalancer;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import reactor.core.publisher.Flux;

import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.ReactiveDiscoveryClient;

/** A registry whose instances the test sets. */
final class Registry implements ReactiveDiscoveryClient {

	private final Map<String, List<ServiceInstance>> services = new ConcurrentHashMap<>();

	private final AtomicInteger lookups = new AtomicInteger();

	void list(String service, ServiceInstance... instances) {
		this.services.put(service, List.of(instances));
	}

	int lookups() {
		return this.lookups.get();
	}

	@Override
	public String description() {
		return "a test's registry";
	}

	@Override
	public Flux<ServiceInstance> getInstances(String serviceId) {
		return Flux.defer(() -> {
			this.lookups.incrementAndGet();
			return Flux.fromIterable(this.services.getOrDefault(serviceId, List.of()));
		});
	}

	@Override
	public Flux<String> getServices() {
		return Flux.defer(() -> Flux.fromIterable(this.services.keySet()));
	}

}
