package dev.warmup.discovery;

import java.util.Map;

import dev.warmup.protocol.WarmupToken;

/**
 * The metadata that an instance publishes in discovery for warm-up: the hash of its token
 * and the path prefix of its endpoints, such as {@code /chat}, if any.
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
	 * @param token the instance's token, of which the hash is taken
	 * @param basePath the path prefix, with or without slashes at its ends
	 * @return what to publish
	 */
	public static InstanceMetadata of(WarmupToken token, String basePath) {
		String trimmed = basePath.strip().replaceAll("^/+|/+$", "");
		return new InstanceMetadata(trimmed.isEmpty() ? Map.of(WarmupToken.METADATA_KEY, token.sha256())
				: Map.of(WarmupToken.METADATA_KEY, token.sha256(), BASE_PATH_KEY, "/" + trimmed));
	}

}
