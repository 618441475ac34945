package dev.warmup.bench.result;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The goals for the first user requests after a start. */
final class FirstGoals {

	static final String SCENARIO = "first";

	private static final String AFTER_A_PAUSE = "after a pause";

	private static final double MOST = 1.5;

	private static final double COLD = 50;

	private FirstGoals() {
	}

	static List<Goal> judge(Summary summary) {
		Kinds kinds = new Kinds(summary, SCENARIO, Summary.EVERYTHING);
		return Stream
			.of(Stream.of(Summary.EVERYTHING, "service", "gateway")
				.map((part) -> nearSteady(new Kinds(summary, SCENARIO, part))),
					Stream.of(withCache(kinds, "ours-aot", "trained on a refresh"),
							withCache(kinds, "ours-replay", "trained by replay"), Rivals.judge(kinds)),
					Stream.of("p50 of 100", "p99 of 100")
						.map((metric) -> Rivals.judge(summary, kinds.series(Goals.OURS, metric), true)))
			.flatMap((goals) -> goals)
			.toList();
	}

	/** Every kind counts, also those that were not so slow without a warm-up. */
	private static Goal nearSteady(Kinds kinds) {
		String text = "%s restarted: ours within %s of steady p50 for the first request of each kind"
			.formatted(kinds.part(), Numbers.ratio(MOST));
		Map<String, Double> ours = kinds.ratios(Goals.OURS);
		List<String> missing = kinds.all().stream().filter((kind) -> !ours.containsKey(kind)).toList();
		return Goal.orNotMeasured(kinds.worst(Goals.OURS).map((worst) -> {
			String figures = "worst %s (%s), goal %s%s".formatted(Numbers.ratio(worst.getValue()), worst.getKey(),
					Numbers.ratio(MOST), cold(kinds, ours) + limit(kinds));
			return (worst.getValue() <= MOST && !missing.isEmpty())
					? Goal.notMeasured(SCENARIO, text, figures + "; without " + String.join(", ", missing))
					: Goal.judged(SCENARIO, text, worst.getValue() <= MOST, figures);
		}), SCENARIO, text);
	}

	private static String cold(Kinds kinds, Map<String, Double> ours) {
		Map<String, Double> nothing = kinds.ratios("nothing");
		return kinds.worst("nothing").map((worst) -> {
			List<String> cold = nothing.keySet()
				.stream()
				.filter((kind) -> nothing.getOrDefault(kind, 0d) >= COLD)
				.toList();
			String best = ours.entrySet()
				.stream()
				.filter((entry) -> cold.contains(entry.getKey()))
				.max(Map.Entry.comparingByValue())
				.map((entry) -> "; ours worst there %s (%s)".formatted(Numbers.ratio(entry.getValue()), entry.getKey()))
				.orElse("");
			return "; nothing: worst %s (%s), %s or more for %d of %d kinds%s".formatted(
					Numbers.ratio(worst.getValue()), worst.getKey(), Numbers.ratio(COLD), cold.size(), nothing.size(),
					best);
		}).orElse("");
	}

	/**
	 * What no warm-up can undercut: the steady state itself, when its users come again.
	 */
	private static String limit(Kinds kinds) {
		Kinds paused = new Kinds(kinds.summary(), SCENARIO, AFTER_A_PAUSE);
		return paused.all()
			.stream()
			.flatMap((kind) -> kinds.summary()
				.byRound(paused.series(Summary.STEADY, kind),
						new Series(SCENARIO, Summary.EVERYTHING, Summary.STEADY, kind))
				.stream())
			.max(Comparator.comparingDouble(Figure::median))
			.map((worst) -> "; steady state's own first after a pause: worst " + Numbers.ratio(worst.median()))
			.orElse("");
	}

	private static Goal withCache(Kinds kinds, String variant, String trained) {
		String text = "ours with an AOT cache %s no worse than ours without".formatted(trained);
		Summary summary = kinds.summary();
		List<Goal> parts = Stream.of("p50 of 100", "p99 of 100").flatMap((metric) -> {
			Series series = kinds.series(Goals.OURS, metric);
			return summary.figure(series.of(variant))
				.flatMap((with) -> summary.figure(series)
					.map((without) -> Goal.judged(SCENARIO, text, with.median() <= without.median(),
							"%s %s against %s%s".formatted(metric, with.text(), without.text(),
									Rivals.overlap(with, without)))))
				.stream();
		}).toList();
		return Goal.orNotMeasured(kinds.worst(variant).flatMap((with) -> kinds.worst(Goals.OURS).map((without) -> {
			boolean met = with.getValue() <= without.getValue()
					&& parts.stream().allMatch((part) -> part.verdict() == Goal.Verdict.MET);
			String worst = "worst first request %s (%s) against %s (%s)".formatted(Numbers.ratio(with.getValue()),
					with.getKey(), Numbers.ratio(without.getValue()), without.getKey());
			return Goal.judged(SCENARIO, text, met, Stream.concat(Stream.of(worst), parts.stream().map(Goal::figures))
				.collect(Collectors.joining("; ")));
		})), SCENARIO, text);
	}

}
