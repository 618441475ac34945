package dev.warmup.bench.schedule;

import java.time.Duration;

import dev.warmup.bench.result.Recorder;

/**
 * A part of a scenario that starts its own processes, measures, and ends them.
 *
 * @param variant whose figures these are
 * @param expected how long it takes, roughly: the first guess of the time left
 * @param action measures
 */
public record Step(String variant, Duration expected, Action action) {

	/** Measures, and ends what it started, whatever happens. */
	@FunctionalInterface
	public interface Action {

		/**
		 * Measures once.
		 * @param recorder takes the figures
		 * @throws Exception when the figures could not be had; the results say so, and
		 * the other steps go on
		 */
		void run(Recorder recorder) throws Exception;

	}

}
