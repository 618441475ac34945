package dev.warmup.bench.result;

import java.util.List;

/** The goals for many users who come at the moment the system calls itself ready. */
final class BurstGoals {

	private static final String SCENARIO = "burst";

	private static final String FIRST_SECOND = "1 s";

	private BurstGoals() {
	}

	static List<Goal> judge(Summary summary) {
		return List.of(Goals.againstSteady(summary, "p99 of the first second at most 3x steady", ours("p99"), 3, true),
				Goals.againstSteady(summary, "throughput of the first second at least 0.7x steady", ours("throughput"),
						0.7, false),
				Goals.never(summary, "no errors",
						summary.parts(SCENARIO).isEmpty() ? List.of(ours("errors"))
								: summary.parts(SCENARIO)
									.stream()
									.map((part) -> new Series(SCENARIO, part, Goals.OURS, "errors"))
									.toList()),
				Rivals.judge(summary, ours("p50"), true), Rivals.judge(summary, ours("p99"), true),
				Rivals.judge(summary, ours("max"), true), Rivals.judge(summary, ours("throughput"), false));
	}

	private static Series ours(String metric) {
		return new Series(SCENARIO, FIRST_SECOND, Goals.OURS, metric);
	}

}
