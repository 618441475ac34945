package dev.warmup.discovery;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.warmup.protocol.WarmupKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.cloud.client.discovery.event.InstancePreRegisteredEvent;
import org.springframework.cloud.client.serviceregistry.Registration;
import org.springframework.context.ApplicationListener;

/**
 * Adds to a registration, before it is sent to any registry, what this instance publishes
 * for warm-up: the public key of its claims, and the path prefix of its endpoints, such
 * as {@code /chat}, if any. Logs one warning if the registration does not accept
 * metadata, unless a secret is shared, with which gateways need none.
 */
final class MetadataPublisher implements ApplicationListener<InstancePreRegisteredEvent> {

	private static final Logger logger = LoggerFactory.getLogger(MetadataPublisher.class);

	private final Map<String, String> metadata;

	private final AtomicBoolean warn;

	/** The path prefix may have slashes at its ends; a shared secret is not published. */
	MetadataPublisher(WarmupKey key, String basePath) {
		String trimmed = basePath.strip().replaceAll("^/+|/+$", "");
		Map<String, String> entries = new HashMap<>();
		key.jwk().ifPresent((jwk) -> entries.put(WarmupKey.METADATA_KEY, jwk));
		if (!trimmed.isEmpty()) {
			entries.put(InstanceAddress.BASE_PATH_KEY, "/" + trimmed);
		}
		this.metadata = Map.copyOf(entries);
		this.warn = new AtomicBoolean(key.jwk().isPresent());
	}

	/** What is published. */
	Map<String, String> metadata() {
		return this.metadata;
	}

	@Override
	public void onApplicationEvent(InstancePreRegisteredEvent event) {
		Registration registration = event.getRegistration();
		if (!put(registration) && this.warn.compareAndSet(true, false)) {
			logger.warn(
					"This registry does not accept metadata ({}), by which gateways verify this instance's warm-up "
							+ "requests. Set the same warmup.token in services and gateways",
					registration.getClass().getSimpleName());
		}
	}

	/** The map may be missing, immutable, or a copy. */
	private boolean put(Registration registration) {
		try {
			Optional.ofNullable(registration.getMetadata()).ifPresent((current) -> current.putAll(this.metadata));
		}
		catch (UnsupportedOperationException ex) {
			logger.debug("The registration's metadata is immutable", ex);
		}
		Map<String, String> published = registration.getMetadata();
		return published != null && published.entrySet().containsAll(this.metadata.entrySet());
	}

}
