package dev.warmup.bench.schedule;

/** Tells in one line why something failed. */
public final class Cause {

	private static final int HEAD = 140;

	private static final int TAIL = 200;

	private Cause() {
	}

	/**
	 * Tells why.
	 * @param problem what was thrown
	 * @return its kind and its message in one line; of a long one the beginning and the
	 * end, since commands say last why they gave up
	 */
	public static String of(Throwable problem) {
		String text = String.join(": ", problem.getClass().getSimpleName(), String.valueOf(problem.getMessage()))
			.replaceAll("\\s+", " ")
			.strip();
		if (text.length() <= HEAD + TAIL) {
			return text;
		}
		return text.substring(0, HEAD) + " ... " + text.substring(text.length() - TAIL);
	}

}
