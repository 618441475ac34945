package dev.warmup.bench.result;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The goals for how much to warm: measuring should find a place on the curve of the fixed
 * counts where less would bring less, and more hardly more.
 */
final class CurveGoals {

	private static final int STARTS = 5;

	private static final double MUCH = 2;

	private final List<Count> fixed;

	private final Optional<Count> ours;

	private CurveGoals(List<Count> counts) {
		List<Count> known = counts.stream().filter((count) -> count.cost().cpu().isPresent()).toList();
		this.fixed = known.stream().filter((count) -> !count.isOurs()).toList();
		this.ours = known.stream().filter(Count::isOurs).findFirst();
	}

	static List<Goal> judge(Summary summary) {
		CurveGoals goals = new CurveGoals(Count.all(summary));
		return List.of(goals.noWorse("p50", Count::p50), goals.noWorse("p99", Count::p99), goals.notMuchBetter());
	}

	/**
	 * To beat counts that took more CPU would be easy, and none that took less is left
	 * out.
	 */
	private Goal noWorse(String metric, Function<Count, Figure> multiple) {
		String text = metric + " of the first 100: ours no worse than any fixed count that took no more CPU";
		return judged(text, this.ours.flatMap((ours) -> best(multiple, cpu(ours)).map((best) -> {
			Figure mine = multiple.apply(ours);
			Figure other = multiple.apply(best);
			return Goal.judged(Count.SCENARIO, text, mine.median() <= other.median(), compared(ours, best, multiple));
		})));
	}

	private Goal notMuchBetter() {
		String text = "p50 of the first 100: no fixed count halves it, however much CPU it took";
		return judged(text,
				this.ours.flatMap((ours) -> best(Count::p50, Double.MAX_VALUE).map((best) -> Goal.judged(Count.SCENARIO,
						text, best.p50().median() * MUCH > ours.p50().median(), compared(ours, best, Count::p50)))));
	}

	/** Few starts do not prove one count better than another. */
	private Goal judged(String text, Optional<Goal> goal) {
		int n = this.fixed.stream().mapToInt((count) -> count.p50().n()).min().orElse(0);
		int least = Math.min(n, this.ours.map((count) -> count.p50().n()).orElse(0));
		return Goal.orNotMeasured(
				goal.map((judged) -> (least >= STARTS) ? judged
						: Goal.notMeasured(Count.SCENARIO, text,
								"%s, n = %d, where %d starts are needed".formatted(judged.figures(), least, STARTS))),
				Count.SCENARIO, text);
	}

	private Optional<Count> best(Function<Count, Figure> multiple, double mostCpu) {
		return this.fixed.stream()
			.filter((count) -> cpu(count) <= mostCpu)
			.min(Comparator.comparingDouble((count) -> multiple.apply(count).median()));
	}

	private static double cpu(Count count) {
		return count.cost().cpu().map(Figure::median).orElseThrow();
	}

	private static String compared(Count ours, Count best, Function<Count, Figure> multiple) {
		return "ours %s for %s, best of these %s %s for %s%s".formatted(multiple.apply(ours).text(),
				Numbers.of(cpu(ours), Unit.SECONDS), best.title(), multiple.apply(best).text(),
				Numbers.of(cpu(best), Unit.SECONDS), Rivals.overlap(multiple.apply(ours), multiple.apply(best)));
	}

}
