package dev.warmup.discovery;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.DiscoveryClient;

/**
 * Finds an instance by any {@link DiscoveryClient}, which can be asked for services only:
 * each look-up reads the instances of all, and tells what it read of others for five
 * seconds. Whether it sees instances that do not take users yet depends on that client.
 */
public final class DiscoveryInstanceLookup implements InstanceLookup {

	private static final Duration KEPT = Duration.ofSeconds(5);

	private final DiscoveryClient discovery;

	private final Clock clock;

	private final Scheduler scheduler;

	private volatile Reading last = new Reading(Instant.MIN, Map.of());

	/**
	 * Creates the look-up.
	 * @param discovery where to look; may block
	 * @param clock the source of time
	 * @param scheduler where it may block
	 */
	public DiscoveryInstanceLookup(DiscoveryClient discovery, Clock clock, Scheduler scheduler) {
		this.discovery = discovery;
		this.clock = clock;
		this.scheduler = scheduler;
	}

	@Override
	public Mono<Optional<ServiceInstance>> find(String instanceId) {
		return BlockingCall.of(this::read, this.scheduler)
			.map((reading) -> Optional.ofNullable(reading.instances().get(instanceId)));
	}

	@Override
	public Optional<ServiceInstance> known(String instanceId) {
		Reading reading = this.last;
		return reading.at().isAfter(this.clock.instant().minus(KEPT))
				? Optional.ofNullable(reading.instances().get(instanceId)) : Optional.empty();
	}

	private Reading read() {
		Instant start = this.clock.instant();
		Map<String, ServiceInstance> instances = new HashMap<>();
		for (String service : this.discovery.getServices()) {
			List<ServiceInstance> found = this.discovery.getInstances(service);
			found.stream()
				.filter((instance) -> instance.getInstanceId() != null)
				.forEach((instance) -> instances.put(instance.getInstanceId(), instance));
		}
		Reading reading = new Reading(start, Map.copyOf(instances));
		this.last = reading;
		return reading;
	}

	/**
	 * What discovery said.
	 *
	 * @param at when it was asked
	 * @param instances every instance by its name
	 */
	private record Reading(Instant at, Map<String, ServiceInstance> instances) {

	}

}
