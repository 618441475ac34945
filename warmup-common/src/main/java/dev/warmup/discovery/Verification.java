package dev.warmup.discovery;

import java.util.Optional;

import org.springframework.cloud.client.ServiceInstance;

/** What came of verifying a claim. */
public sealed interface Verification {

	/**
	 * The claim is true.
	 *
	 * @param instance the claimant as discovery knows it, or empty where there is no
	 * discovery to ask
	 */
	record Verified(Optional<ServiceInstance> instance) implements Verification {

	}

	/** The claim is not true, or nobody knows the claimant. */
	record Rejected() implements Verification {

	}

	/** Nobody could be asked: the registry does not answer. */
	record Unavailable() implements Verification {

	}

}
