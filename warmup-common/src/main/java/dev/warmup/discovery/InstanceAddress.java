package dev.warmup.discovery;

import java.net.URI;
import java.util.Optional;

import dev.warmup.protocol.WarmupKey;

import org.springframework.cloud.client.DefaultServiceInstance;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.web.util.UriComponentsBuilder;

/**
 * Addresses and metadata of instances, with the brackets that a URI needs around a
 * literal IPv6 address.
 */
public final class InstanceAddress {

	/** Metadata key of the path prefix. */
	public static final String BASE_PATH_KEY = "warmup-base-path";

	private InstanceAddress() {
	}

	/** The URI of an instance, with an IPv6 host in brackets. */
	public static URI uri(ServiceInstance instance) {
		return bracketed(instance).getUri();
	}

	/**
	 * The URI below which an instance has its paths: with the path prefix that it
	 * publishes, if any.
	 */
	public static URI base(ServiceInstance instance) {
		URI uri = uri(instance);
		return metadata(instance, BASE_PATH_KEY).filter((path) -> !path.isEmpty() && uri.getHost() != null)
			.map((path) -> UriComponentsBuilder.fromUri(uri).path(path).build().encode().toUri())
			.orElse(uri);
	}

	/**
	 * What an instance publishes under a key, if anything; not every discovery client has
	 * metadata.
	 */
	public static Optional<String> metadata(ServiceInstance instance, String key) {
		return Optional.ofNullable(instance.getMetadata()).map((metadata) -> metadata.get(key));
	}

	/**
	 * The public key that an instance publishes; a process that was restarted under the
	 * same id has another.
	 */
	public static Optional<String> key(ServiceInstance instance) {
		return metadata(instance, WarmupKey.METADATA_KEY);
	}

	/**
	 * The same instance with a host that is valid in a URI: a copy if the host is an IPv6
	 * address without brackets.
	 */
	public static ServiceInstance bracketed(ServiceInstance instance) {
		String host = instance.getHost();
		if (host == null || host.indexOf(':') < 0 || host.startsWith("[")) {
			return instance;
		}
		return new DefaultServiceInstance(instance.getInstanceId(), instance.getServiceId(), "[" + host + "]",
				instance.getPort(), instance.isSecure(), instance.getMetadata());
	}

}
