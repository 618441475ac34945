package dev.warmup.loadbalancer;

import java.net.URI;
import java.util.Map;

import dev.warmup.discovery.InstanceAddress;
import org.jspecify.annotations.Nullable;

import org.springframework.cloud.client.ServiceInstance;

/**
 * An instance that was not chosen from the registry's list.
 *
 * @param instance the instance, with an address that can be connected to
 * @param pinned whether it is the one instance that a warm-up request may go to;
 * otherwise it announced that it takes users, before the registry lists it
 */
record MarkedInstance(ServiceInstance instance, boolean pinned) implements ServiceInstance {

	MarkedInstance {
		instance = InstanceAddress.bracketed(instance);
	}

	static boolean isPinned(@Nullable Object chosen) {
		return chosen instanceof MarkedInstance marked && marked.pinned();
	}

	static boolean isOpened(@Nullable Object chosen) {
		return chosen instanceof MarkedInstance marked && !marked.pinned();
	}

	@Override
	public @Nullable String getInstanceId() {
		return this.instance.getInstanceId();
	}

	@Override
	public String getServiceId() {
		return this.instance.getServiceId();
	}

	@Override
	public String getHost() {
		return this.instance.getHost();
	}

	@Override
	public int getPort() {
		return this.instance.getPort();
	}

	@Override
	public boolean isSecure() {
		return this.instance.isSecure();
	}

	@Override
	public URI getUri() {
		return this.instance.getUri();
	}

	@Override
	public @Nullable Map<String, String> getMetadata() {
		return this.instance.getMetadata();
	}

	@Override
	public @Nullable String getScheme() {
		return this.instance.getScheme();
	}

}
