package dev.warmup.loadbalancer;

import java.net.URI;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.cloud.client.ServiceInstance;

/** An instance as it is, under a type that says why it was chosen. */
interface InstanceView extends ServiceInstance {

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

}
