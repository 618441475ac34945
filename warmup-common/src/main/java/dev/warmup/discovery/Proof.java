package dev.warmup.discovery;

import java.util.Optional;

import dev.warmup.protocol.WarmupToken;

import org.springframework.cloud.client.ServiceInstance;

/** What a claimant shows; no record, as that would write the token. */
final class Proof {

	private final String instanceId;

	private final String token;

	private final boolean shared;

	/** Takes a claim's token, and whether it is the one that was set on both sides. */
	Proof(String instanceId, String token, boolean shared) {
		this.instanceId = instanceId;
		this.token = token;
		this.shared = shared;
	}

	String instanceId() {
		return this.instanceId;
	}

	boolean shared() {
		return this.shared;
	}

	/** Tells whether it proves that the claimant is this instance. */
	boolean convinces(ServiceInstance instance) {
		return this.shared || Optional.ofNullable(instance.getMetadata())
			.map((metadata) -> metadata.get(WarmupToken.METADATA_KEY))
			.filter((hash) -> WarmupToken.hasHash(this.token, hash))
			.isPresent();
	}

}
