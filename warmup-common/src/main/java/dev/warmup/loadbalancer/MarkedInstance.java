package dev.warmup.loadbalancer;

import dev.warmup.discovery.InstanceAddress;
import org.jspecify.annotations.Nullable;

import org.springframework.cloud.client.DefaultServiceInstance;
import org.springframework.cloud.client.ServiceInstance;

/**
 * A copy of an instance that was not chosen from the registry's list, with an address
 * that can be connected to.
 */
final class MarkedInstance extends DefaultServiceInstance {

	private final boolean pinned;

	private final @Nullable String scheme;

	/**
	 * Pinned is the one instance that a warm-up request may go to. Any other announced
	 * that it takes users, before the registry lists it.
	 */
	MarkedInstance(ServiceInstance instance, boolean pinned) {
		super(instance.getInstanceId(), instance.getServiceId(), InstanceAddress.bracketed(instance).getHost(),
				instance.getPort(), instance.isSecure(), instance.getMetadata());
		this.pinned = pinned;
		this.scheme = instance.getScheme();
	}

	/** Where the instance has none, a route's own scheme counts. */
	@Override
	public @Nullable String getScheme() {
		return this.scheme;
	}

	static boolean isPinned(@Nullable Object chosen) {
		return chosen instanceof MarkedInstance marked && marked.pinned;
	}

	static boolean isOpened(@Nullable Object chosen) {
		return chosen instanceof MarkedInstance marked && !marked.pinned;
	}

}
