package dev.warmup.gateway;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import dev.warmup.protocol.InstanceSource;
import dev.warmup.protocol.WarmupToken;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.DiscoveryClient;

/**
 * Finds the services in discovery that can warm a gateway: those with instances that
 * publish the hash of a warm-up token, and not the gateway itself.
 */
public final class WarmableServices {

	private static final Duration LIMIT = Duration.ofSeconds(10);

	private final DiscoveryClient discovery;

	private final List<RegistryFetch> fetches;

	private final InstanceSource self;

	/**
	 * Creates the directory.
	 * @param discovery where to look; may block
	 * @param fetches must all have happened before the answer is believed
	 * @param self who this gateway is
	 */
	public WarmableServices(DiscoveryClient discovery, List<RegistryFetch> fetches, InstanceSource self) {
		this.discovery = discovery;
		this.fetches = List.copyOf(fetches);
		this.self = self;
	}

	/**
	 * Looks, anew at each subscription.
	 * @return the instances by service; fails when the registry cannot be asked
	 */
	Mono<Map<String, List<ServiceInstance>>> look() {
		return Mono.fromCallable(this::services).subscribeOn(Schedulers.boundedElastic()).timeout(LIMIT);
	}

	private Map<String, List<ServiceInstance>> services() {
		if (!this.fetches.stream().allMatch(RegistryFetch::hasHappened)) {
			throw new IllegalStateException("the registry was not reached yet");
		}
		Map<String, List<ServiceInstance>> found = new TreeMap<>();
		for (String service : this.discovery.getServices()) {
			if (!service.equalsIgnoreCase(this.self.get().service())) {
				List<ServiceInstance> warming = this.discovery.getInstances(service)
					.stream()
					.filter(WarmableServices::warms)
					.toList();
				if (!warming.isEmpty()) {
					found.put(service, warming);
				}
			}
		}
		return found;
	}

	private static boolean warms(ServiceInstance instance) {
		return Optional.ofNullable(instance.getMetadata())
			.filter((metadata) -> metadata.containsKey(WarmupToken.METADATA_KEY))
			.isPresent();
	}

}
