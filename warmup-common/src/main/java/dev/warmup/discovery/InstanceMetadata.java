package dev.warmup.discovery;

import java.util.HashMap;
import java.util.Map;

import dev.warmup.protocol.WarmupKey;

/**
 * The metadata that an instance publishes in discovery for warm-up: the public key of its
 * claims, and the path prefix of its endpoints, such as {@code /chat}, if any.
 *
 * @param entries the values by key
 */
public record InstanceMetadata(Map<String, String> entries) {

	/** Metadata key of the path prefix. */
	public static final String BASE_PATH_KEY = "warmup-base-path";

	public InstanceMetadata {
		entries = Map.copyOf(entries);
	}

	/**
	 * Creates the metadata from an application's properties.
	 * @param key the instance's key; a shared secret is not published
	 * @param basePath the path prefix, with or without slashes at its ends
	 * @return what to publish
	 */
	public static InstanceMetadata of(WarmupKey key, String basePath) {
		String trimmed = basePath.strip().replaceAll("^/+|/+$", "");
		Map<String, String> entries = new HashMap<>();
		key.jwk().ifPresent((jwk) -> entries.put(WarmupKey.METADATA_KEY, jwk));
		if (!trimmed.isEmpty()) {
			entries.put(BASE_PATH_KEY, "/" + trimmed);
		}
		return new InstanceMetadata(entries);
	}

}
