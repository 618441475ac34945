package dev.warmup.gateway;

import java.io.Serial;

/** No run of a service has gone through this gateway. */
final class NotWarmedException extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1;

	private final boolean unsupported;

	private NotWarmedException(String problem, boolean unsupported) {
		super(problem);
		this.unsupported = unsupported;
	}

	/** It may be another next time, as where another run is in progress. */
	static NotWarmedException temporarily(String problem) {
		return new NotWarmedException(problem, false);
	}

	/** The service has nothing to warm with. */
	static NotWarmedException unsupported(String problem) {
		return new NotWarmedException(problem, true);
	}

	/** Whether the service has nothing to warm with. */
	boolean isUnsupported() {
		return this.unsupported;
	}

}
