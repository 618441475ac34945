package dev.warmup.loadbalancer;

import java.net.URI;
import java.util.Map;

import dev.warmup.discovery.InstanceAddress;
import org.jspecify.annotations.Nullable;

import org.springframework.cloud.client.ServiceInstance;

/** An instance whose type states why it was chosen. */
sealed interface MarkedInstance extends ServiceInstance {

	ServiceInstance instance();

	@Override
	default @Nullable String getInstanceId() {
		return instance().getInstanceId();
	}

	@Override
	default String getServiceId() {
		return instance().getServiceId();
	}

	@Override
	default String getHost() {
		return instance().getHost();
	}

	@Override
	default int getPort() {
		return instance().getPort();
	}

	@Override
	default boolean isSecure() {
		return instance().isSecure();
	}

	@Override
	default URI getUri() {
		return instance().getUri();
	}

	@Override
	default @Nullable Map<String, String> getMetadata() {
		return instance().getMetadata();
	}

	@Override
	default @Nullable String getScheme() {
		return instance().getScheme();
	}

	/**
	 * The one instance that a warm-up request may go to.
	 *
	 * @param instance the instance, with an address that can be connected to
	 */
	record Pinned(ServiceInstance instance) implements MarkedInstance {

		public Pinned {
			instance = InstanceAddress.bracketed(instance);
		}

	}

	/**
	 * An instance that announced that it takes users, before the registry lists it.
	 *
	 * @param instance the instance, with an address that can be connected to
	 */
	record Opened(ServiceInstance instance) implements MarkedInstance {

		public Opened {
			instance = InstanceAddress.bracketed(instance);
		}

	}

}
