package dev.warmup.service;

import reactor.core.publisher.Mono;

/**
 * Tells whether this instance accepts users as far as anything but its gate is concerned:
 * its own readiness, its health, an operator's decision.
 */
@FunctionalInterface
public interface UserReadiness {

	/** Whether users may come as of now; may fail, which counts as {@code false}. */
	Mono<Boolean> acceptsUsers();

}
