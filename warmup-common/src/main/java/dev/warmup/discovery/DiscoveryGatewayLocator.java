package dev.warmup.discovery;

import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

import dev.warmup.Gateway;
import dev.warmup.GatewayLocator;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.DiscoveryClient;

/**
 * Finds every instance of the gateway in discovery: those of the own zone first, and in
 * each zone in random order, so that not every service begins with the same ones. Where
 * the client's copy of the registry has none, those that came after it was read.
 */
final class DiscoveryGatewayLocator implements GatewayLocator {

	/** Metadata key of the zone, as Spring Cloud LoadBalancer reads it. */
	static final String ZONE = "zone";

	private final DiscoveryClient discovery;

	private final InstanceLookup lookup;

	private final String serviceId;

	private final String zone;

	private final Scheduler scheduler;

	/**
	 * The zone is that of this instance, as in the metadata {@value #ZONE}, or empty.
	 * Discovery may block on the scheduler.
	 */
	DiscoveryGatewayLocator(DiscoveryClient discovery, InstanceLookup lookup, String serviceId, String zone,
			Scheduler scheduler) {
		this.discovery = discovery;
		this.lookup = lookup;
		this.serviceId = serviceId;
		this.zone = zone;
		this.scheduler = scheduler;
	}

	@Override
	public Mono<List<Gateway>> locate() {
		return BlockingCall.of(() -> this.discovery.getInstances(this.serviceId), this.scheduler)
			.filter((known) -> !known.isEmpty())
			.switchIfEmpty(Mono.defer(() -> this.lookup.recent(this.serviceId)))
			.map(this::nearestFirst);
	}

	private List<Gateway> nearestFirst(List<ServiceInstance> instances) {
		List<ServiceInstance> sorted = new ArrayList<>(instances);
		Collections.shuffle(sorted);
		sorted.sort(Comparator.comparing((instance) -> !isNear(instance)));
		return sorted.stream().map(DiscoveryGatewayLocator::gateway).toList();
	}

	private boolean isNear(ServiceInstance instance) {
		return !this.zone.isEmpty()
				&& InstanceAddress.metadata(instance, ZONE).filter(this.zone::equalsIgnoreCase).isPresent();
	}

	private static Gateway gateway(ServiceInstance instance) {
		URI uri = InstanceAddress.base(instance);
		return new Gateway(Optional.ofNullable(instance.getInstanceId()).orElseGet(uri::toString), uri);
	}

	@Override
	public String description() {
		return "service '" + this.serviceId + "' in discovery";
	}

}
