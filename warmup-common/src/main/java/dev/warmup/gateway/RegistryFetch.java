package dev.warmup.gateway;

/**
 * Reports whether the registry has been fetched since the start, where its client returns
 * an empty list until then.
 */
@FunctionalInterface
interface RegistryFetch {

	/**
	 * Whether an empty list is the registry's answer.
	 * @return {@code false} until the registry was reached
	 */
	boolean isDone();

}
