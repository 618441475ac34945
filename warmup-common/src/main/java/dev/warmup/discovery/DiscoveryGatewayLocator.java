package dev.warmup.discovery;

import java.net.URI;
import java.util.List;
import java.util.Optional;

import dev.warmup.Gateway;
import dev.warmup.GatewayLocator;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.DiscoveryClient;

/** Finds every instance of the gateway in discovery. */
public final class DiscoveryGatewayLocator implements GatewayLocator {

	private final DiscoveryClient discovery;

	private final String serviceId;

	/**
	 * Creates the locator.
	 * @param discovery where to look; may block
	 * @param serviceId the gateway's service id
	 */
	public DiscoveryGatewayLocator(DiscoveryClient discovery, String serviceId) {
		this.discovery = discovery;
		this.serviceId = serviceId;
	}

	@Override
	public Mono<List<Gateway>> locate() {
		return Mono.fromCallable(() -> this.discovery.getInstances(this.serviceId))
			.subscribeOn(Schedulers.boundedElastic())
			.map((instances) -> instances.stream().map(DiscoveryGatewayLocator::gateway).toList());
	}

	private static Gateway gateway(ServiceInstance instance) {
		URI uri = InstanceAddress.uri(instance);
		return new Gateway(Optional.ofNullable(instance.getInstanceId()).orElseGet(uri::toString), uri);
	}

	@Override
	public String description() {
		return "service '" + this.serviceId + "' in discovery";
	}

}
