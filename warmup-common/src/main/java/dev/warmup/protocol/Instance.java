package dev.warmup.protocol;

import java.util.Locale;

/**
 * The name of an application instance.
 *
 * @param service the name of its service, in lower case
 * @param instanceId its name in discovery, unique among all instances
 */
public record Instance(String service, String instanceId) {

	public Instance {
		service = service.toLowerCase(Locale.ROOT);
	}

	/** Returns {@code service/instanceId}, as the status log names it. */
	@Override
	public String toString() {
		return this.service + "/" + this.instanceId;
	}

	/**
	 * Names this application; to be called once it is registered in discovery. Not one of
	 * the JDK's functional interfaces: Spring Cloud Function would bind a bean of these.
	 */
	@FunctionalInterface
	public interface Source {

		/** Returns the name. */
		Instance get();

	}

}
