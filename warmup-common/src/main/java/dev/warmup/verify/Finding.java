package dev.warmup.verify;

import org.springframework.cloud.client.ServiceInstance;

/** What came of asking the registry for an instance. */
sealed interface Finding {

	/** The registry knows it. */
	record Found(ServiceInstance instance) implements Finding {

	}

	/** The registry does not know it. */
	record Unknown() implements Finding {

	}

	/** The registry did not answer. */
	record Unanswered() implements Finding {

	}

	/** The registry was asked too much already. */
	record NotAsked() implements Finding {

	}

}
