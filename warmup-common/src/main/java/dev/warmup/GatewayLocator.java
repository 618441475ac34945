package dev.warmup;

import java.util.List;

import reactor.core.publisher.Mono;

/** Finds the gateways to warm through. */
public interface GatewayLocator {

	/**
	 * Looks for the gateways, anew at each subscription.
	 * @return every gateway known now, possibly none; fails when it could not look
	 */
	Mono<List<Gateway>> locate();

	/**
	 * Whether there is anywhere to look. Where there is not, runs are skipped, unless a
	 * failure is to keep the gate closed.
	 */
	default boolean isAvailable() {
		return true;
	}

	/**
	 * Describes what is looked for, or why there is nowhere to look, for logs.
	 * @return such as {@code gateways in Eureka}
	 */
	String description();

}
