package dev.warmup.bench.result;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** The goals for what warming takes, and what the library takes afterwards. */
final class CostGoals {

	private static final String SCENARIO = "cost";

	private static final String FIXED = "fixed-200";

	private static final double WALL = 10;

	private static final double OVERHEAD = 0.01;

	private static final int PAIRS = 10;

	private CostGoals() {
	}

	static List<Goal> judge(Summary summary) {
		return List.of(wall(summary), cpu(summary), overhead(summary));
	}

	private static Series warmUp(String variant, String metric) {
		return new Series(FirstGoals.SCENARIO, "warm-up", variant, metric);
	}

	private static Goal wall(Summary summary) {
		String text = "ours warm within %.0f s".formatted(WALL);
		return Goal.orNotMeasured(summary.figure(warmUp(Goals.OURS, "wall"))
			.map((wall) -> Goal.judged(SCENARIO, text, wall.median() <= WALL,
					"%s (n = %d), goal %.0f s".formatted(wall.text(), wall.n(), WALL))),
				SCENARIO, text);
	}

	private static Goal cpu(Summary summary) {
		String text = "warm with less CPU than " + summary.title(FIXED);
		return Goal
			.orNotMeasured(
					summary.figure(warmUp(Goals.OURS, "cpu"))
						.flatMap((ours) -> summary.figure(warmUp(FIXED, "cpu"))
							.map((fixed) -> Goal.judged(SCENARIO, text, ours.median() < fixed.median(),
									"%s%s against %s%s%s".formatted(ours.text(), reached(summary, Goals.OURS),
											fixed.text(), reached(summary, FIXED), Rivals.overlap(ours, fixed))))),
					SCENARIO, text);
	}

	private static String reached(Summary summary, String variant) {
		return new Kinds(summary, FirstGoals.SCENARIO, Summary.EVERYTHING).worst(variant)
			.map((worst) -> " (reached: worst first request %s)".formatted(Numbers.ratio(worst.getValue())))
			.orElse("");
	}

	private static Goal overhead(Summary summary) {
		String text = "the library takes no more than 1 % of throughput, p50 or CPU in the steady state";
		Optional<Figure> throughput = summary.figure(pairs("throughput ratio"));
		Optional<Figure> p50 = summary.figure(pairs("p50 ratio"));
		Optional<Figure> cpu = summary.figure(pairs("CPU ratio"));
		if (throughput.isEmpty() || p50.isEmpty() || cpu.isEmpty()) {
			return Goal.notMeasured(SCENARIO, text);
		}
		int n = IntStream.of(throughput.get().n(), p50.get().n(), cpu.get().n()).min().orElseThrow();
		String figures = "throughput %s, p50 %s, CPU %s, n = %d".formatted(change(throughput.get()), change(p50.get()),
				change(cpu.get()), n);
		return (n < PAIRS) ? Goal.notMeasured(SCENARIO, text, figures + ", where %d pairs are needed".formatted(PAIRS))
				: Goal.judged(SCENARIO, text, throughput.get().median() >= 1 - OVERHEAD
						&& p50.get().median() <= 1 + OVERHEAD && cpu.get().median() <= 1 + OVERHEAD, figures);
	}

	private static Series pairs(String metric) {
		return new Series(SCENARIO, "steady state", Goals.OURS, metric);
	}

	private static String change(Figure ratio) {
		return "%s [%s to %s]".formatted(Numbers.change(ratio.median() - 1), Numbers.change(ratio.min() - 1),
				Numbers.change(ratio.max() - 1));
	}

}
