package dev.warmup.discovery;

import java.util.Optional;

import dev.warmup.protocol.SignedClaim;

import org.springframework.cloud.client.ServiceInstance;

/** The result of verifying a claim. */
public sealed interface Verification {

	/**
	 * The claim is true.
	 *
	 * @param claim what the token says
	 * @param instance the claimant as registered in discovery, or empty when a shared
	 * secret alone proves the claim
	 */
	record Verified(SignedClaim claim, Optional<ServiceInstance> instance) implements Verification {

	}

	/** The claim is not true, or the claimant is not registered. */
	record Rejected() implements Verification {

	}

	/** The claim could not be checked: the registry does not answer. */
	record Unavailable() implements Verification {

	}

}
