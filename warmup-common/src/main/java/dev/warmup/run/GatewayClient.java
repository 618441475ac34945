package dev.warmup.run;

import dev.warmup.Gateway;
import dev.warmup.protocol.WarmupClaim;
import reactor.core.publisher.Mono;

/** What an instance has to say at a gateway's door before its runs and after them. */
public interface GatewayClient {

	/** Where a gateway speaks with an instance; the instance's id follows. */
	String PATH = "/.warmup/instances/";

	/**
	 * Asks whether the gateway knows the claimant, before anything is sent through it.
	 * @param gateway whom to ask
	 * @param claim who asks, with the proof of it
	 * @return what the gateway said; never fails
	 */
	Mono<RegistrationCheck> knock(Gateway gateway, WarmupClaim claim);

	/**
	 * Tells the gateway that the claimant is about to stop, so that it sends no more
	 * users there.
	 * @param gateway whom to tell
	 * @param claim who stops, with the proof of it
	 * @return whether the gateway took it; never fails
	 */
	Mono<Boolean> leave(Gateway gateway, WarmupClaim claim);

}
