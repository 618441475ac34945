package dev.warmup.registry;

import java.net.URI;
import java.util.Optional;

import dev.warmup.protocol.Instance;

import org.springframework.cloud.client.DefaultServiceInstance;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.web.util.UriComponentsBuilder;

/**
 * An instance as the registry has it.
 *
 * @param instance its name
 * @param address where it is, with the brackets that a URI needs around an IPv6 address
 * @param status what the registry says of it
 */
public record Registered(Instance instance, ServiceInstance address, Status status) {

	/**
	 * Metadata key under which an application with the library registers what it is, and
	 * the path below which it has its paths: {@code service /shop}, or {@code gateway}.
	 */
	public static final String METADATA_KEY = "warmup";

	private static final String GATEWAY = "gateway";

	private static final String SERVICE = "service";

	/** Makes the host valid in a URI. */
	public Registered {
		address = bracketed(address);
	}

	/** The value of {@value #METADATA_KEY} for an application with this base path. */
	public static String metadata(boolean gateway, String basePath) {
		return ((gateway ? GATEWAY : SERVICE) + " " + basePath).strip();
	}

	/** Whether it has registered as a gateway with the library. */
	public boolean isGateway() {
		return published().filter((value) -> value.equals(GATEWAY) || value.startsWith(GATEWAY + " ")).isPresent();
	}

	/** Whether it has registered as an application with the library. */
	public boolean hasLibrary() {
		return published().isPresent();
	}

	/** The URI below which it has its paths: its address and its base path. */
	public URI base() {
		String path = published().map((value) -> value.substring(value.indexOf(' ') + 1))
			.filter((value) -> value.startsWith("/"))
			.orElse("");
		URI uri = this.address.getUri();
		return path.isEmpty() ? uri : UriComponentsBuilder.fromUri(uri).path(path).build().encode().toUri();
	}

	/** Its zone, as Spring Cloud LoadBalancer reads it; empty where it has none. */
	public String zone() {
		return metadata("zone").orElse("");
	}

	/**
	 * Whether another has the same address and base path, and the library or none as
	 * well.
	 */
	public boolean isAt(Registered other) {
		return base().equals(other.base()) && hasLibrary() == other.hasLibrary();
	}

	private Optional<String> published() {
		return metadata(METADATA_KEY);
	}

	private Optional<String> metadata(String key) {
		return Optional.ofNullable(this.address.getMetadata()).map((metadata) -> metadata.get(key));
	}

	private static ServiceInstance bracketed(ServiceInstance instance) {
		String host = instance.getHost();
		if (host == null || host.indexOf(':') < 0 || host.startsWith("[")) {
			return instance;
		}
		return new DefaultServiceInstance(instance.getInstanceId(), instance.getServiceId(), "[" + host + "]",
				instance.getPort(), instance.isSecure(), instance.getMetadata());
	}

	/** What the registry says of an instance. */
	public enum Status {

		/** Users may come, as far as the registry is concerned. */
		UP,

		/** It is not ready for users yet. */
		STARTING,

		/** No registry has it, it says so itself: users may come as its state says. */
		ANNOUNCED,

		/** It is down or out of service: no user may come, whatever its gate. */
		REFUSED

	}

}
