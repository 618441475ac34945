package dev.warmup.bench.result;

import java.time.Duration;

/** Takes what one step of one round measured. */
public interface Recorder {

	/**
	 * Takes a figure.
	 * @param part what the scenario did; may be empty
	 * @param metric what was measured
	 * @param unit its unit
	 * @param value the figure
	 */
	void record(String part, String metric, Unit unit, double value);

	/**
	 * Takes a latency, as milliseconds.
	 * @param part what the scenario did; may be empty
	 * @param metric what was measured
	 * @param latency the figure
	 */
	default void latency(String part, String metric, Duration latency) {
		record(part, metric, Unit.MILLIS, latency.toNanos() / 1e6);
	}

	/**
	 * Takes something that readers of the results should know, such as what was skipped
	 * and why. The same words are kept once.
	 * @param text a sentence
	 */
	void note(String text);

}
