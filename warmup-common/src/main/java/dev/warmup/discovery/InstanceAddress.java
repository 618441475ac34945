package dev.warmup.discovery;

import java.net.URI;

import org.springframework.cloud.client.DefaultServiceInstance;
import org.springframework.cloud.client.ServiceInstance;

/**
 * Makes addresses that registries hold fit for URIs: a literal IPv6 address stands there
 * without the brackets that a URI asks for.
 */
public final class InstanceAddress {

	private InstanceAddress() {
	}

	/**
	 * The address of an instance.
	 * @param instance the instance as discovery gives it
	 * @return its URI, with a host that clients understand
	 */
	public static URI uri(ServiceInstance instance) {
		return bracketed(instance).getUri();
	}

	/**
	 * The same instance with a host that can stand in a URI.
	 * @param instance the instance as discovery gives it
	 * @return a copy where the host is an IPv6 address without brackets, else the
	 * instance itself
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
