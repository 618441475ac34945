package dev.warmup.protocol;

import java.util.function.Supplier;

/**
 * The name of an application instance.
 *
 * @param service its {@code spring.application.name}
 * @param instanceId its name in discovery, unique among all instances
 */
public record Instance(String service, String instanceId) {

	/** Names this application; to be called once it is registered in discovery. */
	@FunctionalInterface
	public interface Source extends Supplier<Instance> {

	}

}
