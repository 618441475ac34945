package dev.warmup.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What another second of warming gains: by how much the latency of a request falls.
 * <p>
 * A JVM that is being warmed gets faster like a power of time, {@code latency = c /
 * time^a}, without a knee. The exponent follows from two medians: that of the rounds in
 * the third quarter of the time since the first, and that of the rounds in the fourth.
 * The middles of these quarters are at 5/8 and 7/8 of the time, so that
 * {@code a = ln(third / fourth) / ln(7 / 5)}; and latency falls by
 * {@code a * latency / time} a second. Not thread-safe.
 */
final class MarginalGain {

	/** In less than so many seconds, chance decides. */
	private static final double LEAST_TIME = 5;

	/** So many in each of the two quarters. */
	private static final int LEAST_ROUNDS = 3;

	private static final double LOG_OF_MIDDLES = Math.log(7.0 / 5.0);

	private final List<Round> rounds = new ArrayList<>();

	/**
	 * Adds a round in which everything was sent.
	 * @param end when it ended, since the first round began
	 * @param latency the mean of its answers
	 */
	void add(Duration end, Duration latency) {
		this.rounds.add(new Round(end.toNanos() / 1e9, latency.toNanos()));
	}

	/**
	 * Whether it is known, and less than that. Latency that rises, as while others use
	 * the processors, says nothing.
	 */
	boolean isBelow(Duration fall) {
		if (this.rounds.isEmpty()) {
			return false;
		}
		double time = this.rounds.get(this.rounds.size() - 1).end();
		double[] third = between(time / 2, time * 3 / 4);
		double[] fourth = between(time * 3 / 4, time);
		if (time < LEAST_TIME || third.length < LEAST_ROUNDS || fourth.length < LEAST_ROUNDS) {
			return false;
		}
		double latency = median(fourth);
		double exponent = Math.log(median(third) / latency) / LOG_OF_MIDDLES;
		return exponent >= 0 && exponent * latency / time < fall.toNanos();
	}

	private double[] between(double after, double until) {
		return this.rounds.stream()
			.filter((round) -> round.end() > after && round.end() <= until)
			.mapToDouble(Round::latency)
			.sorted()
			.toArray();
	}

	private static double median(double[] sorted) {
		int half = sorted.length / 2;
		return (sorted.length % 2 == 1) ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
	}

	/** In seconds, and in nanoseconds. */
	private record Round(double end, double latency) {

	}

}
