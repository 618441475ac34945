package dev.warmup.discovery;

import org.springframework.cloud.client.ServiceInstance;

/** What came of asking the registry for an instance. */
sealed interface LookupResult {

	/** The registry knows it. */
	record Found(ServiceInstance instance) implements LookupResult {

	}

	/** The registry does not know it. */
	record Unknown() implements LookupResult {

	}

	/** The registry did not answer. */
	record Unanswered() implements LookupResult {

	}

	/** The registry was asked too much already. */
	record NotAsked() implements LookupResult {

	}

}
