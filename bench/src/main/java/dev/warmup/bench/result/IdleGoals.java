package dev.warmup.bench.result;

import java.util.List;

/** The goals for the first user requests after an idle time. */
final class IdleGoals {

	private static final String SCENARIO = "idle";

	private static final double MOST = 2;

	private IdleGoals() {
	}

	static List<Goal> judge(Summary summary) {
		String text = "first request of each kind after an idle time at most %s of steady p50"
			.formatted(Numbers.ratio(MOST));
		Kinds kinds = new Kinds(summary, SCENARIO,
				summary.parts(SCENARIO)
					.stream()
					.filter((part) -> summary.variants(SCENARIO, part).contains(Goals.OURS))
					.findFirst()
					.orElse(""));
		return List.of(Goal.orNotMeasured(kinds.worst(Goals.OURS)
			.map((worst) -> Goal.judged(SCENARIO, text, worst.getValue() <= MOST,
					"worst %s (%s), goal %s%s".formatted(Numbers.ratio(worst.getValue()), worst.getKey(),
							Numbers.ratio(MOST),
							kinds.worst("not-rewarmed")
								.map((cold) -> "; not re-warmed: worst %s (%s)"
									.formatted(Numbers.ratio(cold.getValue()), cold.getKey()))
								.orElse("")))),
				SCENARIO, text));
	}

}
