package dev.warmup.bench.result;

import java.util.List;
import java.util.Optional;

/**
 * What one count of passes brings the first hundred users, fixed or measured, and what it
 * takes.
 *
 * @param variant the id of the variant
 * @param title its name in tables and charts
 * @param p50 what half of the users waited at most, as a multiple of the steady state
 * @param p99 what 99 of them waited at most, likewise
 * @param cost what it takes
 */
public record Count(String variant, String title, Figure p50, Figure p99, Cost cost) {

	/** The scenario that compares counts. */
	public static final String SCENARIO = "curve";

	/** Where the limit of all counts is recorded. */
	private static final String STEADY_STATE = "steady state";

	/**
	 * What one count takes.
	 *
	 * @param requests how many are sent
	 * @param wall from the last process's start to ready
	 * @param cpu of the services, from their start to ready; empty where nobody tells
	 */
	public record Cost(Optional<Figure> requests, Optional<Figure> wall, Optional<Figure> cpu) {

	}

	/**
	 * Reads them from a run.
	 * @param summary its figures
	 * @return those that were measured, in the order of the tables; none without a steady
	 * state to hold them against
	 */
	public static List<Count> all(Summary summary) {
		return summary.variants(SCENARIO, Summary.EVERYTHING)
			.stream()
			.flatMap((variant) -> multiple(summary, variant, "p50")
				.flatMap((p50) -> multiple(summary, variant, "p99")
					.map((p99) -> new Count(variant, summary.title(variant), p50, p99, cost(summary, variant))))
				.stream())
			.toList();
	}

	/**
	 * What all are held against.
	 * @param summary the figures of a run
	 * @param metric the metric
	 * @return the figure; empty when it was not measured
	 */
	public static Optional<Figure> steady(Summary summary, String metric) {
		return summary.variants(SCENARIO, STEADY_STATE)
			.stream()
			.findFirst()
			.flatMap((variant) -> summary.figure(new Series(SCENARIO, STEADY_STATE, variant, metric)))
			.filter((figure) -> figure.median() > 0);
	}

	private static Optional<Figure> multiple(Summary summary, String variant, String metric) {
		return steady(summary, metric)
			.flatMap((steady) -> summary.figure(new Series(SCENARIO, Summary.EVERYTHING, variant, metric + " of 100"))
				.map((figure) -> figure.over(steady.median())));
	}

	private static Cost cost(Summary summary, String variant) {
		Series series = new Series(SCENARIO, "warm-up", variant, "cpu");
		return new Cost(summary.figure(new Series(SCENARIO, series.part(), variant, "requests")),
				summary.figure(new Series(SCENARIO, series.part(), variant, "wall")), summary.figure(series));
	}

	/**
	 * Whether it is the library's, which measures how many it takes.
	 * @return {@code false} for a count that somebody fixed
	 */
	public boolean isOurs() {
		return this.variant.equals(Goals.OURS);
	}

}
