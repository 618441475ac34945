package dev.warmup.bench.load;

import java.time.Duration;
import java.util.List;

import org.HdrHistogram.Histogram;

/**
 * What users saw.
 *
 * @param begin when the first of them came, by {@link System#nanoTime()}
 * @param visits their requests
 */
public record Experience(long begin, List<Visit> visits) {

	private static final int DIGITS = 3;

	/** Copies what it is given. */
	public Experience {
		visits = List.copyOf(visits);
	}

	/**
	 * Who was answered, or failed, at the beginning: as many as that is the throughput.
	 * @param duration how long after the first user came
	 * @return the visits that had ended by then
	 */
	public Experience endedWithin(Duration duration) {
		long end = this.begin + duration.toNanos();
		return new Experience(this.begin, this.visits.stream().filter((visit) -> visit.ended() - end <= 0).toList());
	}

	/**
	 * Who came at the beginning, however long it took: latency counts for these, since
	 * the slowest of them end later.
	 * @param duration how long after the first user came
	 * @return the visits that had begun by then
	 */
	public Experience begunWithin(Duration duration) {
		long end = this.begin + duration.toNanos();
		return new Experience(this.begin,
				this.visits.stream().filter((visit) -> visit.ended() - visit.latency().toNanos() - end <= 0).toList());
	}

	/**
	 * What one kind of request saw.
	 * @param request its name
	 * @return its visits
	 */
	public Experience of(String request) {
		return new Experience(this.begin,
				this.visits.stream().filter((visit) -> visit.request().equals(request)).toList());
	}

	/**
	 * How many were not answered as expected.
	 * @return the number of errors
	 */
	public long errors() {
		return this.visits.stream().filter((visit) -> visit.problem().isPresent()).count();
	}

	/**
	 * The latency that a share of the requests did not exceed, of all, errors included.
	 * @param percent the share
	 * @return the latency, by a histogram of 3 digits; zero when there was no request
	 */
	public Duration percentile(double percent) {
		Histogram histogram = new Histogram(DIGITS);
		this.visits.forEach((visit) -> histogram.recordValue(visit.latency().toNanos()));
		return Duration.ofNanos(histogram.getValueAtPercentile(percent));
	}

}
