package dev.warmup.registry;

import java.util.List;
import java.util.Optional;

import reactor.core.publisher.Mono;

/**
 * Where instances are, by the registry that the application uses. No method blocks.
 * Thread-safe.
 */
public interface Registry {

	/**
	 * Every instance of the application's own copy of the registry, whatever its status.
	 */
	List<Registered> instances();

	/**
	 * Whether the application's own copy has been read since the start: until then
	 * instances may be missing from it.
	 */
	default boolean isRead() {
		return true;
	}

	/** Looks at an instance of the copy have failed for a while. */
	default void gone(String instanceId) {
	}

	/** Finds an instance in the application's own copy. */
	default Optional<Registered> known(String instanceId) {
		return instances().stream().filter((each) -> each.instance().instanceId().equals(instanceId)).findFirst();
	}

	/**
	 * Finds an instance: in the application's own copy, otherwise as {@link #read} does.
	 */
	default Mono<Optional<Registered>> find(String instanceId) {
		return Mono.defer(() -> {
			Optional<Registered> known = known(instanceId);
			return known.isPresent() ? Mono.just(known) : read(instanceId);
		});
	}

	/**
	 * Reads an instance from the registry itself, past every copy: one read a second for
	 * an id, five in all, and beyond that one shared read a second of what changed
	 * lately. By default there is nothing but the application's own copy.
	 * @return the instance, or empty if it is not registered or cannot be read now; fails
	 * when the registry does not answer
	 */
	default Mono<Optional<Registered>> read(String instanceId) {
		return Mono.fromSupplier(() -> known(instanceId));
	}

}
