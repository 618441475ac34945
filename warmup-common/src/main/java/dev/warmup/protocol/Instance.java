package dev.warmup.protocol;

/**
 * The name of an application instance.
 *
 * @param service its {@code spring.application.name}
 * @param instanceId its name in discovery, unique among all instances
 */
public record Instance(String service, String instanceId) {

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
