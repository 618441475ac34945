package dev.warmup.report;

/** What was heard at a gateway's door. */
public sealed interface Knock {

	/** The gateway knows the instance, and takes it for what it claims to be. */
	record Known() implements Knock {

	}

	/**
	 * The gateway does not let the instance in yet.
	 *
	 * @param obstacle what stands in the way, naming the gateway
	 */
	record NotYet(String obstacle) implements Knock {

	}

	/** Something answered that does not know of doors. */
	record NoDoor() implements Knock {

	}

}
