package dev.warmup.run;

/** What was heard at a gateway's door. */
public sealed interface RegistrationCheck {

	/** The gateway knows the instance, and takes it for what it claims to be. */
	record Known() implements RegistrationCheck {

	}

	/**
	 * The gateway does not let the instance in yet.
	 *
	 * @param obstacle what stands in the way, naming the gateway
	 */
	record NotYet(String obstacle) implements RegistrationCheck {

	}

	/** Something answered that does not know of doors. */
	record NoDoor() implements RegistrationCheck {

	}

}
