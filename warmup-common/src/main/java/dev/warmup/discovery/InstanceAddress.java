package dev.warmup.discovery;

import java.net.URI;
import java.util.Optional;

import org.springframework.cloud.client.DefaultServiceInstance;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.web.util.UriComponentsBuilder;

/**
 * Addresses of instances, with the brackets that a URI needs around a literal IPv6
 * address.
 */
public final class InstanceAddress {

	private InstanceAddress() {
	}

	/**
	 * The address of an instance.
	 * @param instance the instance as registered
	 * @return its URI, with an IPv6 host in brackets
	 */
	public static URI uri(ServiceInstance instance) {
		return bracketed(instance).getUri();
	}

	/**
	 * The address below which an instance has its paths.
	 * @param instance the instance as registered
	 * @return its URI, and the path prefix that it publishes, if any
	 */
	public static URI base(ServiceInstance instance) {
		String prefix = Optional.ofNullable(instance.getMetadata())
			.map((metadata) -> metadata.get(InstanceMetadata.BASE_PATH_KEY))
			.orElse("");
		return UriComponentsBuilder.fromUri(uri(instance)).path(prefix).build().encode().toUri();
	}

	/**
	 * The same instance with a host that is valid in a URI.
	 * @param instance the instance as registered
	 * @return a copy if the host is an IPv6 address without brackets, else the instance
	 * itself
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
