package dev.warmup.bench.result;

import java.util.List;

import dev.warmup.bench.result.Goal.Verdict;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class GoalsTests {

	private static Goal goal(Runs runs, String scenario, String words) {
		List<Goal> goals = Goals.judge(runs.summary())
			.stream()
			.filter((goal) -> goal.scenario().equals(scenario) && goal.text().contains(words))
			.toList();
		assertThat(goals).hasSize(1);
		return goals.get(0);
	}

	@Test
	void aGoodRunMeetsAllGoals() {
		assertThat(Goals.judge(Runs.good().summary())).hasSizeGreaterThan(18)
			.allSatisfy((goal) -> assertThat(goal.verdict()).as(goal.toString()).isEqualTo(Verdict.MET));
	}

	@Test
	void withoutFiguresEachGoalIsNamedAndNotMeasured() {
		List<Goal> goals = Goals.judge(Runs.none().summary());
		assertThat(goals).extracting((goal) -> goal.scenario() + ": " + goal.text())
			.doesNotHaveDuplicates()
			.hasSameSizeAs(Goals.judge(Runs.good().summary()));
		assertThat(goals).allSatisfy((goal) -> assertThat(goal.verdict()).isEqualTo(Verdict.NOT_MEASURED));
	}

	@Test
	void oneSlowKindOfRequestMissesTheFirstGoal() {
		Goal goal = goal(Runs.good().without("first", "ours", "sign-up").first("everything", "ours", "sign-up", 3.8),
				"first", "everything restarted");
		assertThat(goal.verdict()).isEqualTo(Verdict.MISSED);
		assertThat(goal.figures()).isEqualTo("worst 1.90x (sign-up), goal 1.50x; nothing: worst 100x (sign-up), "
				+ "50.0x or more for 2 of 2 kinds; ours worst there 1.90x (sign-up)");
	}

	@Test
	void whatTheSteadyStateTakesAfterAPauseIsToldBesideTheFirstGoal() {
		Goal goal = goal(Runs.good().first("after a pause", "steady", "sign-up", 6), "first", "everything restarted");
		assertThat(goal.figures()).endsWith("; steady state's own first after a pause: worst 3.00x");
	}

	@Test
	void aKindOfRequestThatWasNotMeasuredLeavesTheFirstGoalOpen() {
		Goal goal = goal(Runs.good().without("first", "ours", "sign-up"), "first", "everything restarted");
		assertThat(goal.verdict()).isEqualTo(Verdict.NOT_MEASURED);
		assertThat(goal.figures()).endsWith("without sign-up");
	}

	@Test
	void aCacheThatMakesTheSlowestOfAHundredSlowerMisses() {
		Goal goal = goal(Runs.good()
			.without("first", "ours-aot", "p99 of 100")
			.first("everything", "ours-aot", "p99 of 100", 60), "first", "on a refresh");
		assertThat(goal.verdict()).isEqualTo(Verdict.MISSED);
		assertThat(goal.figures()).contains("p99 of 100 60.0 ms [54.0–66.0] against 6.0 ms [5.4–6.6]");
	}

	@Test
	void theBestOtherIsNamedWithBothFigures() {
		Goal goal = goal(
				Runs.good().without("first", "mittens", "p99 of 100").first("everything", "mittens", "p99 of 100", 5.8),
				"first", "p99 of 100");
		assertThat(goal.verdict()).isEqualTo(Verdict.MISSED);
		assertThat(goal.figures())
			.isEqualTo("ours 6.0 ms [5.4–6.6], best other mittens, defaults 5.8 ms [5.2–6.4]; ranges overlap");
	}

	@Test
	void theKindWhereOursIsFurthestBehindIsNamed() {
		Goal goal = goal(Runs.good()
			.without("first", "one-pass", "list-rooms")
			.first("everything", "one-pass", "list-rooms", 0.8), "first", "each kind: ours at least as good");
		assertThat(goal.verdict()).isEqualTo(Verdict.MISSED);
		assertThat(goal.figures())
			.isEqualTo("for 1 of 2 kinds; furthest behind: list-rooms, ours 1.6 ms [1.5–1.8], best other one pass "
					+ "0.80 ms [0.72–0.88]");
	}

	@Test
	void oursAndSteadyAreNoRivalsOfOurs() {
		Goal goal = goal(Runs.good(), "burst", "throughput of the first 1 s: ours at least");
		assertThat(goal.figures()).contains("best other fixed 200 passes 1200 /s");
	}

	@Test
	void lowThroughputInTheFirstSecondMisses() {
		Goal goal = goal(Runs.good()
			.without("burst", "ours", "throughput")
			.with("burst", "1 s", "ours", "throughput", Unit.PER_SECOND, 1800), "burst", "0.7x");
		assertThat(goal.verdict()).isEqualTo(Verdict.MISSED);
		assertThat(goal.figures()).isEqualTo("0.60x of steady (1800 /s [1620–1980]), goal 0.70x");
	}

	@Test
	void oneErrorInOneRoundMisses() {
		Goal goal = goal(Runs.good().with("burst", "10 s", "ours", "errors", Unit.COUNT, 4, 1), "burst", "no errors");
		assertThat(goal.verdict()).isEqualTo(Verdict.MISSED);
		assertThat(goal.figures()).isEqualTo("1 in the worst of 4 rounds, goal 0");
	}

	@Test
	void joinIsJudgedRoundByRound() {
		Goal goal = goal(Runs.good().without("join").join("ours", 10, 13, 40).join("nothing", 10, 20, 400), "join",
				"p99");
		assertThat(goal.verdict()).isEqualTo(Verdict.MISSED);
		assertThat(goal.figures()).isEqualTo("1.30x (n = 3), goal 1.20x; nothing: 2.00x");
	}

	@Test
	void aUserAtAnInstanceThatIsNotUpMisses() {
		Runs runs = Runs.good().with("join", "", "ours", "users at an instance that is not UP", Unit.COUNT, 4, 2);
		assertThat(goal(runs, "join", "not UP").verdict()).isEqualTo(Verdict.MISSED);
		assertThat(goal(runs, "join", "no errors").verdict()).isEqualTo(Verdict.MET);
	}

	@Test
	void idleIsHeldAgainstSteadyAndAgainstNoReWarm() {
		Goal goal = goal(
				Runs.good().without("idle", "ours", "sign-up").with("idle", "", "ours", "sign-up", Unit.MILLIS, 5),
				"idle", "idle");
		assertThat(goal.verdict()).isEqualTo(Verdict.MISSED);
		assertThat(goal.figures()).isEqualTo("worst 2.50x (sign-up), goal 2.00x; not re-warmed: worst 30.0x (sign-up)");
	}

	@Test
	void aWarmUpThatTakesLongOrMoreThanTheFixedCountMisses() {
		Runs runs = Runs.good()
			.without("first", "ours", "wall")
			.with("first", "warm-up", "ours", "wall", Unit.SECONDS, 24)
			.without("first", "ours", "cpu")
			.with("first", "warm-up", "ours", "cpu", Unit.SECONDS, 40);
		assertThat(goal(runs, "cost", "warm within").verdict()).isEqualTo(Verdict.MISSED);
		Goal cpu = goal(runs, "cost", "less CPU");
		assertThat(cpu.verdict()).isEqualTo(Verdict.MISSED);
		assertThat(cpu.figures()).isEqualTo("40.0 s [36.0–44.0] (reached: worst first request 1.20x) against 32.0 s "
				+ "[28.8–35.2] (reached: worst first request 2.50x)");
	}

	@Test
	void overheadAboveOnePercentMisses() {
		Runs runs = Runs.good().without("cost", "ours", "p50 ratio");
		for (int pair = 1; pair <= 10; pair++) {
			runs.with("cost", "steady state", "ours", "p50 ratio", Unit.RATIO, pair, 1.02);
		}
		Goal goal = goal(runs, "cost", "1 %");
		assertThat(goal.verdict()).isEqualTo(Verdict.MISSED);
		assertThat(goal.figures()).isEqualTo("throughput +0.1 % [-0.8 % to +1.0 %], p50 +2.0 % [+2.0 % to +2.0 %], "
				+ "CPU +0.5 % [+0.5 % to +0.5 %], n = 10");
	}

	@Test
	void theCurveIsJudgedWhereItWasMeasuredAndAloneWhereNothingElseWas() {
		List<Goal> usual = Goals.judge(Runs.good().summary());
		List<Goal> alone = Goals.judge(Runs.curve().summary());
		assertThat(alone).hasSize(3).allSatisfy((goal) -> {
			assertThat(goal.scenario()).isEqualTo("curve");
			assertThat(goal.verdict()).as(goal.toString()).isEqualTo(Verdict.MET);
		});
		assertThat(usual).extracting(Goal::scenario).doesNotContain("curve");
		assertThat(Goals.judge(Runs.good().curves().summary())).hasSize(usual.size() + alone.size());
	}

	@Test
	void aFixedCountOfNoMoreCpuThatIsBetterMissesAndADearerOneDoesNot() {
		Runs better = Runs.curve().count("fixed-1000", 2, 9, 89, 22000);
		Goal p50 = goal(better, "curve", "p50 of the first 100: ours no worse");
		assertThat(p50.verdict()).isEqualTo(Verdict.MISSED);
		assertThat(p50.figures())
			.isEqualTo("ours 2.50x [2.25–2.75] for 90.0 s, best of these fixed-1000 2.00x " + "[1.80–2.20] for 89.0 s");
		assertThat(goal(better, "curve", "p99").figures()).contains("best of these fixed 200 passes 6.00x");
		Runs dearer = Runs.curve().count("fixed-1000", 2, 4, 91, 22000);
		assertThat(goal(dearer, "curve", "p50 of the first 100: ours no worse").verdict()).isEqualTo(Verdict.MET);
		assertThat(goal(dearer, "curve", "p99").verdict()).isEqualTo(Verdict.MET);
	}

	@Test
	void aFixedCountThatHalvesWhatOursReachesMissesWhateverItTook() {
		Goal goal = goal(Runs.curve().count("fixed-9999", 1.2, 2, 900, 220000), "curve", "halves");
		assertThat(goal.verdict()).isEqualTo(Verdict.MISSED);
		assertThat(goal.figures()).endsWith("best of these fixed-9999 1.20x [1.08–1.32] for 900 s");
	}

	@Test
	void fewerThanFiveStartsProveNothingAboutTheCurve() {
		Runs runs = Runs.curve()
			.without("curve", "ours", "p50 of 100")
			.with("curve", "everything", "ours", "p50 of 100", Unit.MILLIS, 2.5);
		Goal goal = goal(runs, "curve", "halves");
		assertThat(goal.verdict()).isEqualTo(Verdict.NOT_MEASURED);
		assertThat(goal.figures()).endsWith("n = 3, where 5 starts are needed");
	}

	@Test
	void withoutASteadyStateOrCpuTheCurveIsNotJudged() {
		assertThat(Goals.judge(Runs.curve().without("curve", "fixed-5000", "p50").summary()))
			.allSatisfy((goal) -> assertThat(goal.verdict()).isEqualTo(Verdict.NOT_MEASURED));
		assertThat(Goals.judge(Runs.curve().without("curve", "ours", "cpu").summary()))
			.allSatisfy((goal) -> assertThat(goal.verdict()).isEqualTo(Verdict.NOT_MEASURED));
	}

	@Test
	void aFewPairsDoNotProveThatThereIsNoOverhead() {
		Runs runs = Runs.good()
			.without("cost")
			.with("cost", "steady state", "ours", "throughput ratio", Unit.RATIO, 1, 1)
			.with("cost", "steady state", "ours", "p50 ratio", Unit.RATIO, 1, 1)
			.with("cost", "steady state", "ours", "CPU ratio", Unit.RATIO, 1, 1);
		Goal goal = goal(runs, "cost", "1 %");
		assertThat(goal.verdict()).isEqualTo(Verdict.NOT_MEASURED);
		assertThat(goal.figures()).endsWith("n = 1, where 10 pairs are needed");
	}

}
