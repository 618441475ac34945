package dev.warmup.service;

import dev.warmup.protocol.RunRecord;
import reactor.core.publisher.Flux;

/** Endpoints that a gateway answers itself, such as controllers that call services. */
@FunctionalInterface
public interface OwnEndpoints {

	/**
	 * Replays what the gateway's own catalog has for them, if anything; may block while
	 * that is read.
	 * @param idle whether the gateway has been idle, and has not just started
	 * @return the runs: one, and a few more after pauses while requests fail
	 */
	Flux<RunRecord> warm(boolean idle);

}
