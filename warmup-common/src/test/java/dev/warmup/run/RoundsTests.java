package dev.warmup.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.IntStream;

import dev.warmup.Catalogs;
import dev.warmup.LenientCriteria;
import dev.warmup.MutableClock;
import dev.warmup.catalog.Scenario;
import dev.warmup.protocol.JvmSnapshot;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;

import static org.assertj.core.api.Assertions.assertThat;

class RoundsTests extends RunFixture {

	private static final Scenario FIRST = CATALOG.scenarios().get(0);

	private static final Scenario SECOND = CATALOG.scenarios().get(1);

	private static final String NO_ANSWER = "no answer within 2000 ms";

	private Budget budget = budget(Duration.ofMinutes(1));

	private final Plan plan = plan(CATALOG, 5);

	private RunSettings.SteadyCriteria criteria = new RunSettings.SteadyCriteria(0.1, 0.3, 10, 0.5, 50, 1_000);

	private final RunRecorder recorder = new RunRecorder("r", Trigger.STARTUP, "gw", this.plan, List.of(),
			this.criteria, new MutableClock());

	/** Whether what takes the processors is neither the run nor a user. */
	private boolean undisturbed = true;

	/** What a round takes. */
	private Duration step = Duration.ofMillis(200);

	private Duration jit = Duration.ZERO;

	/** What the compiler of this JVM takes in each round. */
	private Duration jitOfARound = Duration.ZERO;

	private Duration cpu = Duration.ZERO;

	private final Rounds rounds = rounds(1, 1);

	@Test
	void aScenarioThatIsSteadyIsNotSentWhileOthersGoOn() {
		List<List<Scenario>> sent = replay((scenario, round) -> scenario.equals(FIRST) ? answered(FIRST)
				: answered(SECOND, Math.max(5, 100 - 5 * round)));
		assertThat(sent.subList(0, 10)).containsOnly(List.of(FIRST, SECOND));
		assertThat(sent).endsWith(List.of(SECOND));
		RunRecord run = this.recorder.finished();
		assertThat(run.verdict()).isEqualTo(Verdict.WARM);
		assertThat(run.requests().get(0).sent()).isLessThan(run.requests().get(1).sent());
	}

	@ParameterizedTest
	@CsvSource({ "180, 0, the compiler of host:1 took 90 % of its processors",
			"0, 300, the compiler of gw-1 took 75 % of its processors" })
	void nothingIsLeftOutWhileAJvmIsBusy(long ownJit, long gatewaysJit, String reason) {
		this.jitOfARound = Duration.ofMillis(ownJit);
		assertThat(replay(50,
				(scenario, round) -> answered(scenario, 5,
						Optional.of(new JvmSnapshot("gw-1", 2, Duration.ofMillis(round * gatewaysJit), 1_000)))))
			.hasSize(50)
			.containsOnly(List.of(FIRST, SECOND));
		assertThat(this.recorder.finished().reason().orElseThrow()).endsWith("before all was steady: " + reason);
	}

	@Test
	void aScenarioThatKeepsFailingIsSentLessOftenWhileAJvmIsBusyUntilItWorks() {
		this.jitOfARound = Duration.ofMillis(180);
		List<List<Scenario>> sent = replay(95, (scenario, round) -> (scenario.equals(FIRST) && round <= 30)
				? unexpected(FIRST, 500, true) : answered(scenario));
		assertThat(roundsOf(SECOND, sent)).hasSize(95);
		assertThat(roundsOf(FIRST, sent)).containsExactly(0, 1, 2, 3, 4, 14, 24, 34, 44, 54, 64, 74, 84, 85, 86, 87, 88,
				89, 90, 91, 92, 93, 94);
	}

	@Test
	void onlyTheRequestsThatKeepFailingAreSentLessOften() {
		Plan plan = plan(Catalogs.ofScenarios(
				"{ name: mixed, requests: [ GET /works, GET /broken ], finally: [ { method: DELETE, path: /works } ], unsafe: true }"),
				5);
		RunRecorder recorder = new RunRecorder("r", Trigger.STARTUP, "gw", plan, List.of(), this.criteria,
				new MutableClock());
		Rounds mixed = rounds(plan, recorder, 1, 1);
		List<Integer> sent = new ArrayList<>();
		for (int round = 0; round < 30 && mixed.has(round); round++) {
			Scenario scenario = mixed.round(round).get(0);
			sent.add(scenario.requests().size());
			assertThat(scenario.cleanup()).as("cleans up, also if that fails").hasSize(1);
			recorder.add(new Outcome.Unexpected(scenario, scenario.cleanup().get(0), Duration.ofMillis(5), 500, "500",
					true));
			answered(scenario, 1_000 - 30 * round).take(1).subscribe(recorder::add);
			unexpected(scenario, 500, true).skip(1).subscribe(recorder::add);
			pass(this.step);
		}
		assertThat(IntStream.range(0, 30).filter((round) -> sent.get(round) == 2)).containsExactly(0, 1, 2, 3, 4, 14,
				24);
	}

	/** An application may log a stack trace for each. */
	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void whereNothingElseIsLeftItIsSentOnceASecond(boolean answered) {
		this.jitOfARound = Duration.ofMillis(180);
		List<List<Scenario>> sent = replay(30, (scenario, round) -> (answered || scenario.equals(FIRST))
				? unexpected(scenario, 500, true) : failed(scenario, NO_ANSWER));
		assertThat(roundsOf(FIRST, sent)).containsExactly(0, 1, 2, 3, 4, 14, 24);
		assertThat(pause(this.rounds)).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
	}

	/** The first request of all, which loads most classes, may well take too long. */
	@Test
	void aScenarioThatLostOneAnswerIsReplayedWhileAJvmIsBusy() {
		this.jitOfARound = Duration.ofMillis(180);
		List<List<Scenario>> sent = replay(15, (scenario, round) -> (scenario.equals(FIRST) && round == 0)
				? failed(FIRST, NO_ANSWER) : answered(scenario));
		assertThat(roundsOf(SECOND, sent)).hasSize(15);
		assertThat(roundsOf(FIRST, sent)).containsExactly(0, 10, 11, 12, 13, 14);
	}

	@Test
	void aBusyMachineIsAReasonAlsoWhenUsersComeThen() {
		this.criteria = new RunSettings.SteadyCriteria(0.1, 0.3, 10, 0.5, 50, 5);
		Rounds strict = rounds(1, 1);
		answered(FIRST).subscribe(this.recorder::add);
		assertThat(reasonAfter(strict)).doesNotContain("the machine is busy");
		contend(strict, Duration.ofSeconds(1));
		assertThat(reasonAfter(strict)).contains("the machine is busy");
		this.undisturbed = false;
		assertThat(reasonAfter(strict)).contains("the machine is busy");
	}

	@Test
	void allIsSentAgainWhileTheMachineIsBusyThoughTheJvmsAreQuiet() {
		int next = replay((scenario, round) -> answered(scenario)).size();
		contend(this.rounds, Duration.ofMillis(1));
		assertThat(this.rounds.has(next)).isTrue();
		assertThat(this.rounds.round(next)).containsExactly(FIRST, SECOND);
	}

	/** For two seconds, in each of which threads ran for so long, and waited for 6 s. */
	private void contend(Rounds tested, Duration ran) {
		for (long second = 1; second <= 2; second++) {
			tested.contention.record(nanoTime() + second * 1_000_000_000,
					Map.of("thread", new Contention.Times(second * ran.toNanos(), second * 6_000_000_000L)));
		}
	}

	@Test
	void nothingIsLeftOutBeforeTheJvmsWereObservedForASecond() {
		this.step = Duration.ofMillis(50);
		assertThat(replay(20, (scenario, round) -> answered(scenario))).hasSize(20)
			.containsOnly(List.of(FIRST, SECOND));
	}

	private String reasonAfter(Rounds tested) {
		tested.has(0);
		return this.recorder.finished().reason().orElseThrow();
	}

	@Test
	void aScenarioThatFindsNoAnswerWaitsUntilTheOthersAreSettled() {
		List<List<Scenario>> sent = replay((scenario, round) -> scenario.equals(FIRST) ? failed(FIRST, NO_ANSWER)
				: answered(SECOND, Math.max(5, 100 - 5 * round)));
		assertThat(roundsOf(FIRST, sent)).containsExactly(0, 10, sent.size() - 1);
		RunRecord run = this.recorder.finished();
		assertThat(run.verdict()).isEqualTo(Verdict.DEGRADED);
		assertThat(run.reason()).hasValue("GET /first no answer within 2000 ms");
		assertThat(run.requests().subList(1, 3)).extracting(RunRecord.Request::steady).containsOnly(true);
	}

	@Test
	void aScenarioThatIsAnsweredInTheEndIsWarmedThen() {
		replay((scenario, round) -> (scenario.equals(FIRST) && round < 10) ? failed(FIRST, NO_ANSWER)
				: answered(scenario));
		RunRecord run = this.recorder.finished();
		assertThat(run.verdict()).isEqualTo(Verdict.DEGRADED);
		assertThat(run.requests()).extracting(RunRecord.Request::steady).containsOnly(true);
		assertThat(run.requests().get(0).failed()).isEqualTo(1);
	}

	@ParameterizedTest
	@CsvSource({ "504, false, 1", "504, true, 5", "503, false, 5" })
	void aTimeLimitOfTheGatewayIsNoAnswer(int status, boolean byService, int times) {
		List<List<Scenario>> sent = replay(10, (scenario, round) -> scenario.equals(FIRST)
				? unexpected(FIRST, status, byService) : answered(SECOND, 100 - 5 * round));
		assertThat(roundsOf(FIRST, sent)).hasSize(times);
	}

	@Test
	void aRunThatGivesAScenarioUpStatesSo() {
		replay((scenario, round) -> scenario.equals(FIRST) ? answered(FIRST)
				: answered(SECOND).take(1).concatWith(failed(SECOND, NO_ANSWER).skip(1)));
		String name = SECOND.requests().get(0).name();
		assertThat(this.recorder.finished().reason().orElseThrow())
			.contains("; a scenario that finds no answer was given up before all was steady: " + name + " had 3 of ");
	}

	@Test
	void aRunEndsEarlyThoughAScenarioThatFindsNoAnswerWasSentLessOften() {
		RunRecorder shortRun = new RunRecorder("r", Trigger.STARTUP, "gw", this.plan, List.of(),
				LenientCriteria.AT_ONCE, new MutableClock());
		failed(FIRST, "broken").subscribe(shortRun::add);
		answered(SECOND).subscribe(shortRun::add);
		assertThat(shortRun.finished().reason())
			.hasValue("GET /first broken; the budget was spent after 3 of 15 requests");
		shortRun.complete("a scenario that finds no answer was given up");
		assertThat(shortRun.finished().reason()).hasValue("GET /first broken");
	}

	@Test
	void thereAreNoMoreRoundsThanMayBe() {
		assertThat(replay((scenario, round) -> answered(scenario, Math.round(1_000_000 * Math.pow(0.95, round)))))
			.hasSize(100);
		RunRecord run = this.recorder.finished();
		assertThat(run.verdict()).isEqualTo(Verdict.TIMED_OUT);
		assertThat(run.reason().orElseThrow()).startsWith("all 100 repetitions were sent before all was steady: ")
			.contains("GET /first still fell by");
	}

	@Test
	void pausesDoubleWithEveryFailureUpToTwoSecondsAndEndWithTheNextAnswer() {
		assertThat(pause(this.rounds)).isZero();
		List<Duration> pauses = new ArrayList<>();
		for (int i = 0; i < 7; i++) {
			record(failed(FIRST, "Connection refused"));
			pauses.add(pause(this.rounds));
		}
		assertThat(pauses).extracting(Duration::toMillis)
			.containsExactly(100L, 200L, 400L, 800L, 1_600L, 2_000L, 2_000L);
		record(answered(FIRST));
		assertThat(pause(this.rounds)).isZero();
	}

	@ParameterizedTest
	@CsvSource({ "503, false, 200", "500, false, 200", "200, false, 200", "401, false, 100", "404, false, 100",
			"500, true, 0" })
	void onlyFailuresAndAnswersWithoutProofSlowDown(int status, boolean byService, long millis) {
		record(failed(FIRST, "Connection refused"));
		record(unexpected(FIRST, status, byService));
		assertThat(pause(this.rounds)).isEqualTo(Duration.ofMillis(millis));
	}

	@Test
	void aLateAnswerEndsAPause() {
		record(failed(FIRST, "Connection refused"));
		record(Flux.just(new Outcome.Late(FIRST, FIRST.requests().get(0), Duration.ofSeconds(1), "took 1 s", true)));
		assertThat(pause(this.rounds)).isZero();
	}

	@Test
	void aPauseEndsWithTheBudgetAndWhenTheRunIsStopped() {
		record(failed(FIRST, "Connection refused"));
		List<String> ended = new ArrayList<>();
		this.rounds.throttle().subscribe(null, null, () -> ended.add("stopped"));
		pass(Duration.ofMillis(50));
		assertThat(ended).isEmpty();
		this.budget.stop();
		assertThat(ended).containsExactly("stopped");
		this.budget = budget(Duration.ofMillis(30));
		Rounds last = rounds(1, 1);
		failed(FIRST, "Connection refused").subscribe(last::record);
		assertThat(pause(last)).isEqualTo(Duration.ofMillis(30));
	}

	@Test
	void whatWasTakenBeyondTheShareIsWaitedForASecondAtMostAndFound() {
		this.cpu = Duration.ofSeconds(2);
		pass(Duration.ofSeconds(5));
		Rounds half = rounds(2, 0.25);
		this.cpu = this.cpu.plusMillis(300);
		pass(Duration.ofMillis(200));
		assertThat(half.finding()).isEmpty();
		assertThat(pause(half)).as("300 ms of half a processor are 600 ms").isEqualTo(Duration.ofMillis(400));
		assertThat(half.finding())
			.hasValue("The run paused, to take no more than 0.50 of 2 processors (warmup.cpu.max-share).");
		assertThat(pause(half)).as("3 s later").isZero();
		assertThat(half.finding()).isPresent();
		this.cpu = Duration.ofSeconds(60);
		assertThat(pause(half)).isEqualTo(Duration.ofSeconds(1));
		assertThat(pause(this.rounds)).as("may take all").isZero();
		assertThat(this.rounds.finding()).isEmpty();
	}

	@Test
	void theShareIsThatOfTheTimeSinceTheFirstRound() {
		Rounds half = rounds(1, 0.5);
		this.cpu = Duration.ofSeconds(2);
		pass(Duration.ofSeconds(5));
		half.has(0);
		this.cpu = this.cpu.plusMillis(300);
		pass(Duration.ofMillis(200));
		half.has(1);
		assertThat(pause(half)).isEqualTo(Duration.ofMillis(400));
	}

	/** Replays rounds as long as there are any, and returns what was sent in each. */
	private List<List<Scenario>> replay(BiFunction<Scenario, Integer, Flux<Outcome>> outcomes) {
		return replay(Integer.MAX_VALUE, outcomes);
	}

	private List<List<Scenario>> replay(int most, BiFunction<Scenario, Integer, Flux<Outcome>> outcomes) {
		List<List<Scenario>> sent = new ArrayList<>();
		for (int round = 0; round < most && this.rounds.has(round); round++) {
			List<Scenario> scenarios = this.rounds.round(round);
			for (Scenario scenario : scenarios) {
				outcomes.apply(scenario, round).subscribe((outcome) -> {
					this.rounds.record(outcome);
					this.recorder.add(outcome);
				});
			}
			sent.add(scenarios);
			pass(this.step);
			this.jit = this.jit.plus(this.jitOfARound);
		}
		return sent;
	}

	private static List<Integer> roundsOf(Scenario scenario, List<List<Scenario>> sent) {
		return IntStream.range(0, sent.size()).filter((round) -> sent.get(round).contains(scenario)).boxed().toList();
	}

	private Rounds rounds(int processors, double cpuShare) {
		return rounds(this.plan, this.recorder, processors, cpuShare);
	}

	private Rounds rounds(Plan plan, RunRecorder recorder, int processors, double cpuShare) {
		RunSettings settings = new RunSettings(Duration.ofMinutes(1), 5, 100, 1, processors, cpuShare, this.criteria,
				Trigger.STARTUP, Duration.ofMinutes(2), Duration.ZERO, false, Duration.ZERO);
		return new Rounds(plan, session(CATALOG, "http://gw.invalid", this.budget), settings, recorder,
				() -> new JvmSnapshot.Figures(this.jit, 0, this.cpu), this.timing, () -> this.undisturbed);
	}

	private void record(Flux<Outcome> outcomes) {
		outcomes.subscribe(this.rounds::record);
	}

	private Duration pause(Rounds tested) {
		Duration before = Duration.ofNanos(nanoTime());
		List<Duration> at = new ArrayList<>();
		tested.throttle().subscribe(null, null, () -> at.add(Duration.ofNanos(nanoTime())));
		pass(Duration.ofSeconds(3));
		return at.get(0).minus(before);
	}

	private static Flux<Outcome> answered(Scenario scenario, long millis) {
		return answered(scenario, millis, Optional.empty());
	}

	private static Flux<Outcome> answered(Scenario scenario, long millis, Optional<JvmSnapshot> gateway) {
		return Flux.fromIterable(scenario.requests())
			.map((request) -> new Outcome.Answered(scenario, request, Duration.ofMillis(millis), gateway, true));
	}

}
