package dev.warmup.discovery;

import java.util.Optional;

import dev.warmup.protocol.WarmupClaim;
import reactor.core.publisher.Mono;

import org.springframework.cloud.client.ServiceInstance;

/** Claims, and what comes of them. */
final class Claims {

	private Claims() {
	}

	static WarmupClaim claim(String instanceId, String token) {
		return new WarmupClaim(instanceId, Optional.of(token), "r");
	}

	/** What is there at once. */
	static Verification result(Mono<Verification> verification) {
		return verification.toFuture().getNow(null);
	}

	/** Who was verified. */
	static Optional<String> instance(Verification verification) {
		return (verification instanceof Verification.Verified verified)
				? verified.instance().map(ServiceInstance::getInstanceId) : Optional.empty();
	}

}
