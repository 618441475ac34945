package dev.warmup.discovery;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.DiscoveryClient;

/**
 * Finds an instance by any {@link DiscoveryClient}. Since that finds services only, each
 * look-up reads all instances of all services, and those are known for the next five
 * seconds. Whether instances that do not accept traffic yet are found depends on the
 * client. Thread-safe.
 */
final class DiscoveryInstanceLookup implements InstanceLookup {

	private static final Duration TTL = Duration.ofSeconds(5);

	private final DiscoveryClient discovery;

	private final Clock clock;

	private final Scheduler scheduler;

	private volatile Snapshot last = new Snapshot(Instant.MIN, Map.of());

	/** Creates the look-up, which blocks on the scheduler only. */
	DiscoveryInstanceLookup(DiscoveryClient discovery, Clock clock, Scheduler scheduler) {
		this.discovery = discovery;
		this.clock = clock;
		this.scheduler = scheduler;
	}

	@Override
	public Mono<Optional<ServiceInstance>> find(String instanceId) {
		return BlockingCall.of(this::read, this.scheduler)
			.map((snapshot) -> Optional.ofNullable(snapshot.instances().get(instanceId)));
	}

	@Override
	public Optional<ServiceInstance> known(String instanceId) {
		Snapshot snapshot = this.last;
		return snapshot.at().isAfter(this.clock.instant().minus(TTL))
				? Optional.ofNullable(snapshot.instances().get(instanceId)) : Optional.empty();
	}

	private Snapshot read() {
		Instant start = this.clock.instant();
		Map<String, ServiceInstance> instances = new HashMap<>();
		for (String service : this.discovery.getServices()) {
			for (ServiceInstance instance : this.discovery.getInstances(service)) {
				if (instance.getInstanceId() != null) {
					instances.put(instance.getInstanceId(), instance);
				}
			}
		}
		this.last = new Snapshot(start, Map.copyOf(instances));
		return this.last;
	}

	/** All instances by id, and when they were read. */
	private record Snapshot(Instant at, Map<String, ServiceInstance> instances) {

	}

}
