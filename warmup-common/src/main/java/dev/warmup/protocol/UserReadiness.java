package dev.warmup.protocol;

import reactor.core.publisher.Mono;

/**
 * Says whether this instance accepts users as far as anything but its gate is concerned:
 * its own readiness, its health, an operator's decision.
 */
@FunctionalInterface
public interface UserReadiness {

	/**
	 * Asks for the state as of now.
	 * @return {@code true} if users may come; may fail, which counts as {@code false}
	 */
	Mono<Boolean> acceptsUsers();

}
