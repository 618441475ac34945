package dev.warmup.discovery;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

import dev.warmup.protocol.WarmupToken;

/**
 * The metadata that an instance publishes in discovery for warm-up.
 *
 * @param tokenHash the hash of the token that its warm-up requests carry
 * @param basePath the path prefix of all its endpoints, such as {@code /chat}, if any
 */
public record InstanceMetadata(String tokenHash, Optional<String> basePath) {

	/** Metadata key of the path prefix. */
	public static final String BASE_PATH_KEY = "warmup-base-path";

	/**
	 * Creates the metadata from an application's properties.
	 * @param token the instance's token, of which the hash is taken
	 * @param basePath the path prefix, with or without slashes at its ends
	 * @return what to publish
	 */
	public static InstanceMetadata of(WarmupToken token, String basePath) {
		String trimmed = basePath.strip().replaceAll("^/+|/+$", "");
		return new InstanceMetadata(token.sha256(), trimmed.isEmpty() ? Optional.empty() : Optional.of("/" + trimmed));
	}

	/**
	 * The metadata as discovery takes it.
	 * @return the values by key
	 */
	public Map<String, String> entries() {
		Map<String, String> entries = new LinkedHashMap<>();
		entries.put(WarmupToken.METADATA_KEY, this.tokenHash);
		this.basePath.ifPresent((path) -> entries.put(BASE_PATH_KEY, path));
		return entries;
	}

}
