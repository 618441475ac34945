package dev.warmup.bench.result;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What people use instead, and the best of it. */
final class Rivals {

	private static final Set<String> NONE = Set.of(Goals.OURS, "ours-aot", "aot-replay", "ours-replay", Summary.STEADY,
			"not-rewarmed");

	private Rivals() {
	}

	/**
	 * Finds the best of the others.
	 * @param summary the figures
	 * @param series what ours is measured by
	 * @param lowIsGood whether less is better
	 * @return the variant and its figure; empty when none was measured
	 */
	static Optional<Map.Entry<String, Figure>> best(Summary summary, Series series, boolean lowIsGood) {
		Comparator<Map.Entry<String, Figure>> byMedian = Comparator
			.comparingDouble((entry) -> entry.getValue().median());
		return summary.variants(series.scenario(), series.part())
			.stream()
			.filter((variant) -> !NONE.contains(variant))
			.flatMap((
					variant) -> summary.figure(series.of(variant)).map((figure) -> Map.entry(variant, figure)).stream())
			.min(lowIsGood ? byMedian : byMedian.reversed());
	}

	/**
	 * Judges whether ours is at least as good as the best of the others.
	 * @param summary the figures
	 * @param series what it is measured by
	 * @param lowIsGood whether less is better
	 * @return the goal
	 */
	static Goal judge(Summary summary, Series series, boolean lowIsGood) {
		String what = series.metric() + (series.part().matches("\\d.*") ? " of the first " + series.part() : "");
		return Goal.orNotMeasured(best(summary, series, lowIsGood).flatMap(
				(best) -> summary.figure(series).map((ours) -> compared(summary, series, what, lowIsGood, ours, best))),
				series.scenario(), text(what));
	}

	private static Goal compared(Summary summary, Series series, String what, boolean lowIsGood, Figure ours,
			Map.Entry<String, Figure> best) {
		Figure other = best.getValue();
		boolean met = lowIsGood ? ours.median() <= other.median() : ours.median() >= other.median();
		return Goal.judged(series.scenario(), text(what), met, "ours %s, best other %s %s%s".formatted(ours.text(),
				summary.title(best.getKey()), other.text(), overlap(ours, other)));
	}

	private static String text(String what) {
		return what + ": ours at least as good as the best other";
	}

	/**
	 * Judges the first request of each kind against the best other for that kind.
	 * @param kinds the kinds
	 * @return the goal: met when ours is behind for no kind
	 */
	static Goal judge(Kinds kinds) {
		Summary summary = kinds.summary();
		String text = "first request of each kind: ours at least as good as the best other";
		record Duel(String kind, Figure ours, Map.Entry<String, Figure> best) {

			double behind() {
				return this.ours.median() / this.best.getValue().median();
			}

		}
		List<Duel> duels = kinds.all().stream().flatMap((kind) -> {
			Series series = kinds.series(Goals.OURS, kind);
			return best(summary, series, true)
				.flatMap((best) -> summary.figure(series).map((ours) -> new Duel(kind, ours, best)))
				.stream();
		}).toList();
		return Goal.orNotMeasured(duels.stream().max(Comparator.comparingDouble(Duel::behind)).map((worst) -> {
			long held = duels.stream().filter((duel) -> duel.behind() <= 1).count();
			return Goal.judged(kinds.scenario(), text, held == duels.size(),
					"for %d of %d kinds; %s: %s, ours %s, best other %s %s%s".formatted(held, duels.size(),
							(held == duels.size()) ? "closest" : "furthest behind", worst.kind(), worst.ours().text(),
							summary.title(worst.best().getKey()), worst.best().getValue().text(),
							overlap(worst.ours(), worst.best().getValue())));
		}), kinds.scenario(), text);
	}

	static String overlap(Figure ours, Figure other) {
		return ours.overlaps(other) ? "; ranges overlap" : "";
	}

}
