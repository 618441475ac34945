package dev.warmup.run;

/** There is no way to a service yet. */
final class NoWayException extends RuntimeException {

	private final String obstacle;

	/**
	 * Creates the exception.
	 * @param obstacle what stands in the way
	 */
	NoWayException(String obstacle) {
		super(obstacle, null, false, false);
		this.obstacle = obstacle;
	}

	@Override
	public String getMessage() {
		return this.obstacle;
	}

}
