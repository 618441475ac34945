package dev.warmup.service;

import java.util.Set;

import dev.warmup.protocol.RunAnswer;
import reactor.core.publisher.Mono;

/** The two sides of a gateway's wish to be warmed. */
public interface WantedRuns {

	/**
	 * In a service: a gateway says that it wants a run. Whoever says so: the gateway's
	 * own state is read before anything starts.
	 * @param gatewayId the gateway's instance id
	 */
	default Mono<RunAnswer> wantedBy(String gatewayId) {
		return Mono.just(RunAnswer.NOTHING);
	}

	/** In a gateway: the services from which it wants a run, in lower case. */
	default Set<String> services() {
		return Set.of();
	}

}
