package dev.warmup.gateway;

/**
 * Says whether the registry was heard at all since the start, where its client hides an
 * unreachable one behind an empty answer.
 */
@FunctionalInterface
public interface RegistryFetch {

	/**
	 * Whether an empty answer can be believed.
	 * @return {@code false} as long as the registry was never reached
	 */
	boolean hasHappened();

}
