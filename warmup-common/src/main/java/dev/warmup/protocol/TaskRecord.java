package dev.warmup.protocol;

import java.time.Duration;
import java.util.Optional;

/**
 * What became of one task that warmed something else than a request does.
 *
 * @param name the task's name, on one line; at most {@value #LONGEST_NAME} characters
 * @param took how long it took
 * @param problem why it failed, on one line, at most {@value #LONGEST_PROBLEM}
 * characters; or empty when it did not
 */
public record TaskRecord(String name, Duration took, Optional<String> problem) {

	/** The most characters of a name. */
	public static final int LONGEST_NAME = 200;

	/** The most characters of a problem. */
	public static final int LONGEST_PROBLEM = 300;

}
