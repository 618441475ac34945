package dev.warmup.discovery;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.cloud.client.discovery.event.InstancePreRegisteredEvent;
import org.springframework.cloud.client.serviceregistry.Registration;
import org.springframework.context.ApplicationListener;

/**
 * Adds the metadata to a registration before it is sent to any registry. Logs one warning
 * if the registration does not accept metadata.
 */
final class MetadataPublisher implements ApplicationListener<InstancePreRegisteredEvent> {

	private static final Logger logger = LoggerFactory.getLogger(MetadataPublisher.class);

	private final InstanceMetadata metadata;

	private final AtomicBoolean warn;

	/** Gateways with which a secret is shared do not need the metadata. */
	MetadataPublisher(InstanceMetadata metadata, boolean secretShared) {
		this.metadata = metadata;
		this.warn = new AtomicBoolean(!secretShared);
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
		Map<String, String> entries = this.metadata.entries();
		try {
			Optional.ofNullable(registration.getMetadata()).ifPresent((current) -> current.putAll(entries));
		}
		catch (UnsupportedOperationException ex) {
			logger.debug("The registration's metadata is immutable", ex);
		}
		Map<String, String> published = registration.getMetadata();
		return published != null && published.entrySet().containsAll(entries.entrySet());
	}

}
