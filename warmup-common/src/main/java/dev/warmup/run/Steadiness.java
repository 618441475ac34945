package dev.warmup.run;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * The last answers to one request, and whether their latency has stopped falling: over
 * the last {@code window} answers or the last three seconds, whichever is longer.
 * <p>
 * The medians of the older half and of the newer half lie half a window apart, so that a
 * line falls over the whole window by twice their difference. It is steady when that is
 * no more than a share of the newer median. A pause of the machine moves neither median,
 * and rising latency is no sign of a cold path. Not thread-safe.
 */
final class Steadiness {

	/**
	 * In recorded cold starts, a hundred answers in a fraction of a second seemed steady
	 * at four to eight times the latency that was reached in the end.
	 */
	static final Duration SHORTEST = Duration.ofSeconds(3);

	private final double tolerance;

	private final int window;

	private final Deque<Answer> last = new ArrayDeque<>();

	private int sinceJudged;

	private boolean steady;

	/**
	 * Starts without answers.
	 * @param tolerance the share of the median by which it may still fall
	 * @param window how many answers are considered at least; positive
	 */
	Steadiness(double tolerance, int window) {
		this.tolerance = tolerance;
		this.window = window;
	}

	/** Adds an answer that came now. */
	void add(Instant now, Duration latency) {
		this.last.addLast(new Answer(now, latency.toNanos()));
		Answer oldest = this.last.removeFirst();
		while (this.last.size() >= this.window && isLongAgo(this.last.getFirst(), now)) {
			oldest = this.last.removeFirst();
		}
		this.last.addFirst(oldest);
		this.sinceJudged++;
	}

	/** {@code false} until the window is full; judged anew after a tenth of it. */
	boolean isSteady() {
		if (this.sinceJudged * 10 >= this.window) {
			this.sinceJudged = 0;
			this.steady = judge();
		}
		return this.steady;
	}

	/** The latencies of the last answers, in nanoseconds. */
	LongStream latencies() {
		return this.last.stream().mapToLong(Answer::latency);
	}

	/**
	 * The latency that so many percent of these do not exceed; empty when there is none.
	 */
	static Optional<Duration> percentile(LongStream latencies, int percent) {
		long[] sorted = latencies.sorted().toArray();
		return (sorted.length == 0) ? Optional.empty()
				: Optional.of(Duration.ofNanos(sorted[(sorted.length - 1) * percent / 100]));
	}

	private boolean judge() {
		if (this.last.size() < this.window || !isLongAgo(this.last.getFirst(), this.last.getLast().at())) {
			return false;
		}
		long[] latencies = latencies().toArray();
		double newer = median(latencies, latencies.length / 2, latencies.length);
		double older = median(latencies, 0, (latencies.length + 1) / 2);
		return 2 * (older - newer) <= this.tolerance * newer;
	}

	private static double median(long[] latencies, int from, int to) {
		return percentile(Arrays.stream(latencies, from, to), 50).map(Duration::toNanos).orElse(0L);
	}

	private static boolean isLongAgo(Answer answer, Instant now) {
		return !answer.at().isAfter(now.minus(SHORTEST));
	}

	private record Answer(Instant at, long latency) {

	}

}
