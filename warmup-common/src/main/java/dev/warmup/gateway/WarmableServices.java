package dev.warmup.gateway;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import dev.warmup.protocol.InstanceSource;
import dev.warmup.protocol.WarmupKey;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.DiscoveryClient;

/**
 * Finds the services in discovery that can warm a gateway: those with instances that
 * publish the key of their claims, except the gateway itself.
 */
final class WarmableServices {

	private static final Duration TIMEOUT = Duration.ofSeconds(10);

	private final DiscoveryClient discovery;

	private final List<RegistryFetch> fetches;

	private final InstanceSource self;

	/**
	 * Creates the finder.
	 * @param discovery lists services; may block
	 * @param fetches must all be done before the list is used
	 * @param self the identity of this gateway
	 */
	WarmableServices(DiscoveryClient discovery, List<RegistryFetch> fetches, InstanceSource self) {
		this.discovery = discovery;
		this.fetches = List.copyOf(fetches);
		this.self = self;
	}

	/** The instances by service; fails when the registry cannot be reached. */
	Mono<Map<String, List<ServiceInstance>>> find() {
		return Mono.fromCallable(this::services).subscribeOn(Schedulers.boundedElastic()).timeout(TIMEOUT);
	}

	private Map<String, List<ServiceInstance>> services() {
		if (!this.fetches.stream().allMatch(RegistryFetch::isDone)) {
			throw new IllegalStateException("the registry was not reached yet");
		}
		Map<String, List<ServiceInstance>> found = new TreeMap<>();
		for (String service : this.discovery.getServices()) {
			List<ServiceInstance> warmable = service.equalsIgnoreCase(this.self.get().service()) ? List.of()
					: this.discovery.getInstances(service).stream().filter(WarmableServices::isWarmable).toList();
			if (!warmable.isEmpty()) {
				found.put(service, warmable);
			}
		}
		return found;
	}

	private static boolean isWarmable(ServiceInstance instance) {
		return Optional.ofNullable(instance.getMetadata())
			.filter((metadata) -> metadata.containsKey(WarmupKey.METADATA_KEY))
			.isPresent();
	}

}
