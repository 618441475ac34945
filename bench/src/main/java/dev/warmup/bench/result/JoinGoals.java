package dev.warmup.bench.result;

import java.util.List;

/** The goals for users who are there while an instance joins. */
final class JoinGoals {

	private static final String SCENARIO = "join";

	private static final double MOST = 1.2;

	private JoinGoals() {
	}

	static List<Goal> judge(Summary summary) {
		String text = "p99 around the join at most %s of before".formatted(Numbers.ratio(MOST));
		String part = summary.parts(SCENARIO).stream().findFirst().orElse("");
		Series around = new Series(SCENARIO, part, Goals.OURS, "p99 around");
		Series before = new Series(SCENARIO, part, Goals.OURS, "p99 before");
		Goal p99 = Goal.orNotMeasured(summary.byRound(around, before)
			.map((ratio) -> Goal.judged(SCENARIO, text, ratio.median() <= MOST,
					"%s (n = %d), goal %s%s".formatted(ratio.text(), ratio.n(), Numbers.ratio(MOST),
							summary.byRound(around.of("nothing"), before.of("nothing"))
								.map((nothing) -> "; nothing: " + nothing.text())
								.orElse("")))),
				SCENARIO, text);
		return List.of(p99,
				Goals.never(summary, "no errors", List.of(new Series(SCENARIO, part, Goals.OURS, "errors"))),
				Goals.never(summary, "no user at an instance that is not UP",
						List.of(new Series(SCENARIO, part, Goals.OURS, "users at an instance that is not UP"))));
	}

}
