package dev.warmup.discovery;

import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.cloud.client.discovery.event.InstancePreRegisteredEvent;
import org.springframework.cloud.client.serviceregistry.Registration;
import org.springframework.context.ApplicationListener;

/**
 * Puts the metadata into a registration before it is sent, whatever the registry is. One
 * that takes none is told of once.
 */
public final class MetadataPublisher implements ApplicationListener<InstancePreRegisteredEvent> {

	private static final Logger logger = LoggerFactory.getLogger(MetadataPublisher.class);

	private final InstanceMetadata metadata;

	private final boolean tokenShared;

	private final AtomicBoolean told = new AtomicBoolean();

	/**
	 * Creates the listener.
	 * @param metadata what to publish
	 * @param tokenShared whether the gateways were given the token, and can do without
	 */
	public MetadataPublisher(InstanceMetadata metadata, boolean tokenShared) {
		this.metadata = metadata;
		this.tokenShared = tokenShared;
	}

	@Override
	public void onApplicationEvent(InstancePreRegisteredEvent event) {
		Registration registration = event.getRegistration();
		if (!put(registration) && !this.tokenShared && this.told.compareAndSet(false, true)) {
			logger.warn(
					"This registry takes no metadata ({}): gateways cannot verify this instance's warm-up by it. "
							+ "Give services and gateways the same warmup.token",
					registration.getClass().getSimpleName());
		}
	}

	/** Some registrations have no map, some one that cannot be changed, some a copy. */
	private boolean put(Registration registration) {
		Map<String, String> wanted = this.metadata.entries();
		if (published(registration.getMetadata(), wanted)) {
			return true;
		}
		try {
			Map<String, String> current = registration.getMetadata();
			if (current != null) {
				current.putAll(wanted);
			}
		}
		catch (UnsupportedOperationException ex) {
			logger.debug("The registration's metadata cannot be changed", ex);
		}
		return published(registration.getMetadata(), wanted);
	}

	private static boolean published(@Nullable Map<String, String> current, Map<String, String> wanted) {
		return current != null && current.entrySet().containsAll(wanted.entrySet());
	}

}
