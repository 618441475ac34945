package dev.warmup.bench.result;

import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The goals of the product, judged on the medians of one run. A goal that is missed by
 * less than the spread of the samples is missed, and the figures say so.
 */
public final class Goals {

	static final String OURS = "ours";

	private static final List<Function<Summary, List<Goal>>> ALL = List.of(FirstGoals::judge, BurstGoals::judge,
			JoinGoals::judge, IdleGoals::judge, CostGoals::judge);

	private Goals() {
	}

	/**
	 * Judges a run.
	 * @param summary its figures
	 * @return all goals, in the order of the scenarios, measured or not; those of
	 * {@value Count#SCENARIO}, which is run by its name only, where it was measured, and
	 * only these where nothing else was
	 */
	public static List<Goal> judge(Summary summary) {
		List<String> scenarios = summary.scenarios();
		Stream<Function<Summary, List<Goal>>> usual = scenarios.equals(List.of(Count.SCENARIO)) ? Stream.of()
				: ALL.stream();
		Stream<Function<Summary, List<Goal>>> named = scenarios.contains(Count.SCENARIO) ? Stream.of(CurveGoals::judge)
				: Stream.of();
		return Stream.concat(usual, named).flatMap((goals) -> goals.apply(summary).stream()).toList();
	}

	/**
	 * Judges what must not happen: the worst round counts.
	 * @param summary the figures
	 * @param text the goal
	 * @param series where it is counted
	 * @return the goal: met when it happened in no round
	 */
	static Goal never(Summary summary, String text, List<Series> series) {
		String scenario = series.get(0).scenario();
		List<Figure> figures = series.stream().flatMap((each) -> summary.figure(each).stream()).toList();
		if (figures.isEmpty()) {
			return Goal.notMeasured(scenario, text);
		}
		double worst = figures.stream().mapToDouble(Figure::max).max().orElseThrow();
		int n = figures.stream().mapToInt(Figure::n).max().orElseThrow();
		return Goal.judged(scenario, text, worst == 0,
				"%s in the worst of %d rounds, goal 0".formatted(Numbers.of(worst, Unit.COUNT), n));
	}

	/**
	 * Judges a multiple of the steady state.
	 * @param summary the figures
	 * @param text the goal
	 * @param series what is held against steady
	 * @param bound the most, or the least, that the multiple may be
	 * @param atMost whether it is the most
	 * @return the goal
	 */
	static Goal againstSteady(Summary summary, String text, Series series, double bound, boolean atMost) {
		return Stream.of(summary.againstSteady(series)).filter(OptionalDouble::isPresent).map((ratio) -> {
			double value = ratio.getAsDouble();
			return Goal.judged(series.scenario(), text, atMost ? value <= bound : value >= bound,
					"%s of steady (%s), goal %s".formatted(Numbers.ratio(value),
							summary.figure(series).orElseThrow().text(), Numbers.ratio(bound)));
		}).findFirst().orElseGet(() -> Goal.notMeasured(series.scenario(), text));
	}

}
