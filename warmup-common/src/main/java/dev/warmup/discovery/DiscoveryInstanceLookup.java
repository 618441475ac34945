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
import org.springframework.cloud.client.discovery.composite.CompositeDiscoveryClient;
import org.springframework.cloud.client.discovery.simple.SimpleDiscoveryClient;

/**
 * Finds an instance by any {@link DiscoveryClient}. Since that finds services only, a
 * look-up reads all instances of all services. Look-ups share one such pass in flight and
 * its result for a second, and the instances are known for five seconds from its end.
 * Whether instances that do not accept traffic yet are found depends on the client.
 * Thread-safe.
 */
final class DiscoveryInstanceLookup implements InstanceLookup {

	private static final Duration TTL = Duration.ofSeconds(5);

	private static final Duration SHARED_FOR = Duration.ofSeconds(1);

	/** A client that hangs is interrupted, and asked again. */
	private static final Duration PASS_LIMIT = Duration.ofSeconds(30);

	private final DiscoveryClient discovery;

	private final Clock clock;

	/**
	 * The pass in flight; goes on for later look-ups when its subscribers have canceled.
	 */
	private final Mono<Snapshot> pass;

	private volatile Snapshot last = new Snapshot(Instant.MIN, Map.of());

	/** Creates the look-up, which blocks on the scheduler only. */
	DiscoveryInstanceLookup(DiscoveryClient discovery, Clock clock, Scheduler scheduler) {
		this.discovery = discovery;
		this.clock = clock;
		this.pass = BlockingCall.of(this::read, scheduler)
			.timeout(PASS_LIMIT)
			.cache((snapshot) -> Duration.ZERO, (error) -> Duration.ZERO, () -> Duration.ZERO);
	}

	/**
	 * Whether there is a registry, or instances in properties. Spring Cloud has a client
	 * for the latter also where there are none.
	 */
	boolean hasRegistry() {
		return isRegistry(this.discovery);
	}

	private static boolean isRegistry(DiscoveryClient client) {
		if (client instanceof CompositeDiscoveryClient composite) {
			return composite.getDiscoveryClients().stream().anyMatch(DiscoveryInstanceLookup::isRegistry);
		}
		return !(client instanceof SimpleDiscoveryClient) || !client.getServices().isEmpty();
	}

	@Override
	public Mono<Optional<ServiceInstance>> find(String instanceId) {
		return Mono
			.defer(() -> hasRegistry() ? current() : Mono.error(new IllegalStateException("there is no registry")))
			.map((snapshot) -> Optional.ofNullable(snapshot.instances().get(instanceId)));
	}

	@Override
	public Mono<Map<String, ServiceInstance>> recent() {
		return Mono.defer(this::current).map(Snapshot::instances);
	}

	@Override
	public Optional<ServiceInstance> known(String instanceId) {
		Snapshot snapshot = this.last;
		return isYounger(snapshot, TTL) ? Optional.ofNullable(snapshot.instances().get(instanceId)) : Optional.empty();
	}

	private boolean isYounger(Snapshot snapshot, Duration age) {
		return snapshot.at().isAfter(this.clock.instant().minus(age));
	}

	private Mono<Snapshot> current() {
		Snapshot snapshot = this.last;
		return isYounger(snapshot, SHARED_FOR) ? Mono.just(snapshot) : this.pass;
	}

	private Snapshot read() {
		Map<String, ServiceInstance> instances = new HashMap<>();
		for (String service : this.discovery.getServices()) {
			for (ServiceInstance instance : this.discovery.getInstances(service)) {
				if (instance.getInstanceId() != null) {
					instances.put(instance.getInstanceId(), instance);
				}
			}
		}
		this.last = new Snapshot(this.clock.instant(), Map.copyOf(instances));
		return this.last;
	}

	/** All instances by id, and when the last of them were read. */
	private record Snapshot(Instant at, Map<String, ServiceInstance> instances) {

	}

}
