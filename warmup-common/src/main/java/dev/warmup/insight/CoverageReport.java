package dev.warmup.insight;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What share of users' requests the catalog covers.
 *
 * @param since when counting began
 * @param requests how many requests users have sent since
 * @param covered how many of these were of a kind that runs send
 * @param share {@code covered} by {@code requests}, or empty without requests
 * @param uncovered the most frequent kinds that no run sends, at most 10, the most
 * frequent first
 */
public record CoverageReport(Instant since, long requests, long covered, Optional<Double> share,
		List<Uncovered> uncovered) {

	public CoverageReport {
		uncovered = List.copyOf(uncovered);
	}

	CoverageReport(Instant since, long requests, long covered, List<Uncovered> uncovered) {
		this(since, requests, Math.min(covered, requests),
				(requests > 0) ? Optional.of((double) Math.min(covered, requests) / requests) : Optional.empty(),
				uncovered);
	}

	/**
	 * Writes the line of the log, such as {@code coverage: the catalog covers 93.1 % of
	 * 12000 user requests; most frequent uncovered: GET /chat-service/rooms/{id}/messages
	 * (712)}, with the three most frequent kinds.
	 * @return the line; the share is rounded down, so that 100.0 % is all
	 */
	public String line() {
		StringBuilder line = new StringBuilder(String.format(Locale.ROOT,
				"coverage: the catalog covers %s %% of %d user requests", percent(), this.requests));
		String separator = "; most frequent uncovered: ";
		for (Uncovered each : this.uncovered.subList(0, Math.min(3, this.uncovered.size()))) {
			line.append(separator).append(each);
			separator = ", ";
		}
		return line.toString();
	}

	private String percent() {
		long perMille = (this.requests > 0) ? this.covered * 1000 / this.requests : 0;
		return perMille / 10 + "." + perMille % 10;
	}

	/**
	 * A kind of request that users send and runs do not.
	 *
	 * @param method the method
	 * @param path the path, with identifiers folded into {@code {id}}
	 * @param requests how many there were at least
	 * @param entry what to paste into the catalog, for methods that change nothing; with
	 * placeholders that a person is to fill in where the path has some
	 */
	public record Uncovered(String method, String path, long requests, Optional<String> entry) {

		@Override
		public String toString() {
			return this.method + " " + this.path + " (" + this.requests + ")";
		}

	}

}
