package dev.warmup;

import java.util.Map;

import dev.warmup.protocol.WarmupKey;
import org.jspecify.annotations.Nullable;

import org.springframework.cloud.client.DefaultServiceInstance;
import org.springframework.cloud.client.ServiceInstance;

/** Instances as a registry lists them, of the service {@code chat} if of no other. */
public final class Instances {

	private Instances() {
	}

	public static ServiceInstance of(String id) {
		return of("chat", id);
	}

	public static ServiceInstance of(@Nullable String service, String id) {
		return new DefaultServiceInstance(id, service, "localhost", 8080, false);
	}

	/** An instance that publishes a key. */
	public static ServiceInstance keyed(String id, String key) {
		return keyed("chat", id, key);
	}

	public static ServiceInstance keyed(String service, String id, String key) {
		return new DefaultServiceInstance(id, service, "localhost", 8080, false, Map.of(WarmupKey.METADATA_KEY, key));
	}

}
