package dev.warmup.discovery;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

import dev.warmup.protocol.WarmupToken;

/**
 * What an instance publishes of itself in discovery, for warm-up.
 *
 * @param tokenHash the hash of the token by which it proves its warm-up requests
 * @param basePath the path that stands before all its own, as {@code /chat}; empty where
 * there is none
 */
public record InstanceMetadata(String tokenHash, Optional<String> basePath) {

	/** Key of the path that stands before all of the instance's own. */
	public static final String BASE_PATH_KEY = "warmup-base-path";

	/**
	 * Takes the path as the application writes it.
	 * @param token the instance's token, of which the hash is taken
	 * @param basePath the path, with or without slashes at its ends
	 * @return what to publish
	 */
	public static InstanceMetadata of(WarmupToken token, String basePath) {
		String trimmed = basePath.strip().replaceAll("^/+|/+$", "");
		return new InstanceMetadata(token.sha256(), trimmed.isEmpty() ? Optional.empty() : Optional.of("/" + trimmed));
	}

	/**
	 * What to publish.
	 * @return the entries by their keys
	 */
	public Map<String, String> entries() {
		Map<String, String> entries = new LinkedHashMap<>();
		entries.put(WarmupToken.METADATA_KEY, this.tokenHash);
		this.basePath.ifPresent((path) -> entries.put(BASE_PATH_KEY, path));
		return entries;
	}

}
