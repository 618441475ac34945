package dev.warmup.run;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.warmup.Catalogs;
import dev.warmup.LenientCriteria;
import dev.warmup.MutableClock;
import dev.warmup.catalog.Catalog;
import dev.warmup.catalog.RequestTemplate;
import dev.warmup.catalog.Scenario;
import dev.warmup.protocol.JvmSnapshot;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.Verdict;
import org.assertj.core.data.Percentage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.InstanceOfAssertFactories.DOUBLE;
import static org.assertj.core.api.InstanceOfAssertFactories.DURATION;
import static org.junit.jupiter.params.provider.Arguments.arguments;

class RunRecorderTests {

	/** What the histogram's two digits may be off. */
	private static final Percentage PRECISION = Percentage.withPercentage(1);

	private static final RunSettings.SteadyCriteria TEN_ANSWERS = new RunSettings.SteadyCriteria(0.1, 0.3, 10, 1, 1,
			1_000);

	private static final Catalog CATALOG = Catalogs.of("""
			version: 1
			scenarios:
			  - name: only
			    unsafe: true
			    requests: [GET /a, "GET /b/{{c}}"]
			    finally: [DELETE /d]
			variables: { c: d }
			""");

	private static final Scenario SCENARIO = CATALOG.scenarios().get(0);

	private static final RequestTemplate A = SCENARIO.requests().get(0);

	private static final RequestTemplate B = SCENARIO.requests().get(1);

	private static final RequestTemplate CLEANUP = SCENARIO.cleanup().get(0);

	private final MutableClock clock = new MutableClock();

	private RunSettings.SteadyCriteria criteria = LenientCriteria.AT_ONCE;

	@ParameterizedTest(name = "{0}")
	@MethodSource("ends")
	void verdictAndReasonFollowFromTheOutcomes(String kind, int repetitions, List<Outcome> outcomes, Verdict verdict,
			String reason, int sent, int failed) {
		RunRecord run = record(repetitions, outcomes.toArray(Outcome[]::new));
		assertThat(run.verdict()).isEqualTo(verdict);
		assertThat(run.reason().orElse("")).isEqualTo(reason);
		assertThat(run.sent()).isEqualTo(sent);
		assertThat(run.failed()).isEqualTo(failed);
		assertThat(run.gateway()).isEqualTo("gw");
		assertThat(run.trigger()).isEqualTo(Trigger.IDLE);
		assertThat(run.requests()).extracting(RunRecord.Request::name)
			.containsExactly("GET /a", "GET /b/{{c}}", "DELETE /d");
		assertThat(List.of(run.first().isPresent(), run.steadyP50().isPresent(), run.ratio().isPresent()))
			.containsOnly(sent > failed);
	}

	static Stream<Arguments> ends() {
		return Stream.of(
				arguments("all as expected", 1, List.of(answered(A, 10), answered(B, 20), answered(CLEANUP, 30)),
						Verdict.WARM, "", 3, 0),
				arguments("the first bad answer of each request is the reason", 2,
						List.of(answered(A, 10), unexpected(B, 500), answered(A, 10), unexpected(B, 503)),
						Verdict.DEGRADED, "GET /b/{{c}} 500 (expected 2xx)", 4, 2),
				arguments("cleanup counts", 1,
						List.of(answered(A, 10), answered(B, 10), failed(CLEANUP, "Connection reset")),
						Verdict.DEGRADED, "DELETE /d Connection reset", 3, 1),
				arguments("nothing as expected", 1, List.of(unexpected(A, 500), failed(B, "no answer within 2000 ms")),
						Verdict.FAILED, "GET /a 500 (expected 2xx), GET /b/{{c}} no answer within 2000 ms", 2, 2),
				arguments("nothing sent", 1, List.of(), Verdict.FAILED, "nothing was sent", 0, 0),
				arguments("a part of the plan", 5,
						List.of(answered(A, 10), answered(B, 10), answered(CLEANUP, 10), unexpected(A, 404)),
						Verdict.DEGRADED, "GET /a 404 (expected 2xx); the budget was spent after 3 of 10 requests", 4,
						1),
				arguments("a request that the budget canceled blames no service", 1,
						List.of(answered(A, 10), new Outcome.Canceled(SCENARIO, B)), Verdict.TIMED_OUT,
						"the budget was spent after 1 of 2 requests before all was steady: GET /b/{{c}} had no answer yet",
						1, 0),
				arguments("a request that could not be sent is no missing one", 1,
						List.of(answered(A, 10), new Outcome.NotSent(SCENARIO, B)), Verdict.WARM, "", 1, 0));
	}

	@Test
	void theMinimumIsOfRequestsWithoutCleanup() {
		RunRecorder recorder = recorder(2);
		List.of(answered(A, 10), answered(B, 10), answered(CLEANUP, 10), answered(CLEANUP, 10), answered(A, 10))
			.forEach(recorder::add);
		assertThat(recorder.isMinimumSent()).isFalse();
		recorder.add(answered(B, 10));
		assertThat(recorder.isMinimumSent()).isTrue();
	}

	@Test
	void figuresOfTheJvmAreDifferences() {
		assertThat(new JvmSnapshot.Figures(Duration.ofSeconds(5), 700, Duration.ofSeconds(9))
			.since(new JvmSnapshot.Figures(Duration.ofSeconds(2), 300, Duration.ofSeconds(4))))
			.isEqualTo(new JvmSnapshot.Figures(Duration.ofSeconds(3), 400, Duration.ofSeconds(5)));
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 10 })
	void answersOfOtherServicesDoNotMakeTheInstanceWarm(int planned) {
		RunRecord run = record(planned, elsewhere(A), elsewhere(B), elsewhere(CLEANUP));
		assertThat(run.verdict()).isEqualTo(Verdict.DEGRADED);
		assertThat(run.reason()).hasValueSatisfying((reason) -> assertThat(reason).contains("lb://"));
		assertThat(run.first()).isEmpty();
		assertThat(run.steadyP50()).isEmpty();
	}

	@Test
	void answersOfOtherServicesAreCountedApart() {
		RunRecorder recorder = recorder(1);
		recorder.add(elsewhere(A));
		assertThat(recorder.finished().findings()).as("of a report dry run").hasSize(1);
		recorder.add(answered(B, 20));
		recorder.add(answered(CLEANUP, 20));
		RunRecord run = recorder.finished();
		assertThat(run.verdict()).isEqualTo(Verdict.WARM);
		assertThat(run.first()).hasValue(Duration.ofMillis(20));
		assertThat(run.findings())
			.containsExactly("1 of 3 answers came from other services, and do not count as this instance's");
	}

	private static Outcome elsewhere(RequestTemplate request) {
		return new Outcome.Answered(SCENARIO, request, Duration.ofMillis(1), Optional.empty(), false);
	}

	@Test
	void aRunWithoutARouteHasWaitedAllTheTimeAndItsReasonStaysOnOneLine() {
		RunRecorder recorder = recorder(1);
		this.clock.advance(Duration.ofSeconds(60));
		RunRecord run = recorder.unreached("one\r\n\ttwo\u2028three");
		assertThat(run.verdict()).isEqualTo(Verdict.FAILED);
		assertThat(run.reason()).hasValue("one two three");
		assertThat(run.waited()).isEqualTo(Duration.ofSeconds(60));
		assertThat(run.took()).isZero();
		assertThat(run.sent()).isZero();
	}

	@Test
	void theWaitEndsWhenTheFirstAnsweredRequestIsSent() {
		RunRecorder recorder = recorder(1);
		this.clock.advance(Duration.ofSeconds(10));
		recorder.add(answered(A, 1_500));
		this.clock.advance(Duration.ofSeconds(2));
		recorder.add(answered(B, 10));
		RunRecord run = recorder.finished();
		assertThat(run.startedAt()).isEqualTo(MutableClock.START);
		assertThat(run.waited()).isEqualTo(Duration.ofMillis(8_500));
		assertThat(run.took()).isEqualTo(Duration.ofMillis(3_500));
	}

	@Test
	void firstIsTheFirstAnswerAsExpectedAndTheRatioIsToTheSteadyMedian() {
		RunRecorder recorder = recorder(100);
		recorder.add(unexpected(A, 500));
		recorder.add(answered(A, 1_000));
		recorder.add(answered(B, 500));
		answer(recorder, 150);
		RunRecord run = recorder.finished();
		assertThat(run.first()).hasValue(Duration.ofMillis(1_000));
		assertThat(run.steadyP50()).get(DURATION).isCloseTo(Duration.ofMillis(10), Duration.ofNanos(100_000));
		assertThat(run.ratio()).get(DOUBLE).isCloseTo(100, PRECISION);
		assertThat(run.requests().get(1).first()).hasValue(Duration.ofMillis(500));
	}

	@Test
	void steadyLeavesOutWhatCameBeforeTheLastHundredAnswers() {
		RunRecorder recorder = recorder(200);
		IntStream.range(0, 150).forEach((i) -> recorder.add(answered(A, (i < 100) ? 900 : 10)));
		RunRecord run = recorder.finished();
		assertThat(run.steadyP95()).get(DURATION).isCloseTo(Duration.ofMillis(10), Duration.ofNanos(100_000));
		assertThat(run.requests().get(0).p95()).get(DURATION).isCloseTo(Duration.ofMillis(900), Duration.ofMillis(9));
	}

	@Test
	void aRequestWhoseLatencyStillFallsIsTimedOutWithByHowMuch() {
		this.criteria = TEN_ANSWERS;
		RunRecorder recorder = recorder(10);
		for (int i = 0; i < 10; i++) {
			recorder.add(answered(A, 100 - i * 5));
			recorder.add(answered(B, 10));
		}
		assertThat(recorder.isSettled(SCENARIO)).isFalse();
		RunRecord run = recorder.finished();
		assertThat(run.verdict()).isEqualTo(Verdict.TIMED_OUT);
		assertThat(run.reason()).hasValue(
				"the budget was spent before all was steady: GET /a still fell by 45.00 ms over its last 10 answers,"
						+ " to 55.00 ms");
		assertThat(run.requests()).extracting(RunRecord.Request::steady).containsExactly(false, true, false);
	}

	@Test
	void onlyThreeProblemsOrUnsteadyRequestsAreNamed() {
		Catalog catalog = Catalogs.ofRequests("GET /1", "GET /2", "GET /3", "GET /4", "GET /5");
		Scenario scenario = catalog.scenarios().get(0);
		RunRecorder unsteady = recorder(catalog, 1, TEN_ANSWERS);
		RunRecorder failing = recorder(catalog, 1, TEN_ANSWERS);
		scenario.requests().forEach((request) -> {
			unsteady.add(new Outcome.Answered(scenario, request, Duration.ofMillis(1)));
			failing.add(new Outcome.Failed(scenario, request, "broken"));
		});
		assertThat(unsteady.finished().reason().orElseThrow()).contains("GET /3 had").endsWith(", and 2 more");
		assertThat(failing.finished().reason()).hasValue("GET /1 broken, GET /2 broken, GET /3 broken, and 2 more");
		failing.add(new Outcome.Answered(scenario, scenario.requests().get(1), Duration.ofMillis(1)));
		assertThat(failing.finished().reason().orElseThrow())
			.startsWith("GET /1 broken, GET /3 broken, GET /4 broken, and 2 more; the budget was spent");
	}

	@Test
	void aRequestThatFailsIsNotWaitedFor() {
		this.criteria = TEN_ANSWERS;
		RunRecorder recorder = recorder(10);
		for (int i = 0; i < 10; i++) {
			recorder.add(answered(A, 10));
			recorder.add((i % 2 == 0) ? answered(B, 100 - 9 * i) : unexpected(B, 500));
		}
		assertThat(recorder.isSettled(SCENARIO)).isTrue();
		assertThat(recorder.finished().verdict()).isEqualTo(Verdict.DEGRADED);
	}

	@Test
	void aRequestThatIsNoLongerSentIsNotWaitedFor() {
		this.criteria = TEN_ANSWERS;
		RunRecorder recorder = recorder(10);
		recorder.add(answered(A, 10));
		recorder.add(failed(B, "no answer within 2000 ms"));
		for (int i = 0; i < 5; i++) {
			assertThat(recorder.isSettled(SCENARIO)).isFalse();
			recorder.add(unexpected(A, 409));
			recorder.add(new Outcome.NotSent(SCENARIO, B));
		}
		assertThat(recorder.isSettled(SCENARIO)).isTrue();
		assertThat(recorder.isUnanswered(SCENARIO, 1)).isFalse();
	}

	@Test
	void aRequestThatFailedAtFirstIsWaitedFor() {
		this.criteria = TEN_ANSWERS;
		RunRecorder recorder = recorder(10);
		for (int i = 0; i < 10; i++) {
			recorder.add(answered(A, 10));
			recorder.add((i < 4) ? unexpected(B, 500) : answered(B, 100));
		}
		assertThat(recorder.isSettled(SCENARIO)).isFalse();
		assertThat(recorder.finished().verdict()).isEqualTo(Verdict.DEGRADED);
		assertThat(recorder.finished().reason()).hasValue("GET /b/{{c}} 500 (expected 2xx); the budget was "
				+ "spent before all was steady: GET /b/{{c}} had 6 of the 10 answers that are needed");
		IntStream.range(6, 10).forEach((i) -> recorder.add(answered(B, 100)));
		assertThat(recorder.isSettled(SCENARIO)).isTrue();
	}

	@Test
	void answersThatWereLateAtFirstDoNotDegradeARun() {
		this.criteria = TEN_ANSWERS;
		RunRecorder recorder = recorder(10);
		late(recorder, 3);
		assertThat(recorder.finished().verdict()).isEqualTo(Verdict.FAILED);
		assertThat(recorder.finished().reason()).hasValue("GET /a took 700 ms (expected at most 500 ms),"
				+ " GET /b/{{c}} took 700 ms (expected at most 500 ms)");
		answer(recorder, 10);
		assertThat(recorder.isSettled(SCENARIO)).isTrue();
		assertThat(recorder.isAsPlanned()).as("answered as expected as often as planned").isFalse();
		RunRecord run = recorder.finished();
		assertThat(run.verdict()).isEqualTo(Verdict.WARM);
		assertThat(run.failed()).isEqualTo(6);
		assertThat(run.reason()).isEmpty();
		assertThat(run.first()).as("how long the first user would have waited").hasValue(Duration.ofMillis(700));
		assertThat(run.requests().subList(0, 2)).allSatisfy((request) -> {
			assertThat(request.problem().orElseThrow()).endsWith("took 700 ms (expected at most 500 ms)");
			assertThat(request.first()).hasValue(Duration.ofMillis(700));
		});
	}

	@Test
	void aRequestThatTakesMostOfTheTimeIsNamedFirst() {
		this.criteria = TEN_ANSWERS;
		RunRecorder recorder = recorder(10);
		for (int i = 0; i < 3; i++) {
			this.clock.advance(Duration.ofSeconds(4));
			recorder.add(answered(B, 3_000));
			recorder.add(new Outcome.NotSent(SCENARIO, A));
		}
		recorder.add(new Outcome.Canceled(SCENARIO, CLEANUP));
		assertThat(recorder.finished().reason()).hasValue("the budget was spent after 3 of 20 requests before all was "
				+ "steady: GET /b/{{c}} took 9 of 11 s, GET /b/{{c}} had 3 of the 10 answers that are needed, "
				+ "DELETE /d had no answer yet");
		IntStream.range(0, 20).forEach((i) -> recorder.add(answered(B, 10)));
		assertThat(recorder.finished().reason().orElseThrow()).as("0.4 s each").doesNotContain("took");
	}

	@Test
	void twoLateAnswersAmongTheLastTenDegradeARun() {
		RunRecorder recorder = recorder(10);
		answer(recorder, 10);
		late(recorder, 1);
		assertThat(recorder.finished().verdict()).isEqualTo(Verdict.WARM);
		late(recorder, 1);
		assertThat(recorder.finished().verdict()).isEqualTo(Verdict.DEGRADED);
	}

	@Test
	void aRequestThatIsLateIsSettledOnceItIsSteady() {
		this.criteria = TEN_ANSWERS;
		RunRecorder recorder = recorder(10);
		IntStream.range(0, 10).forEach((i) -> late(recorder, 1, 1_500 - 100 * i));
		assertThat(recorder.isSettled(SCENARIO)).isFalse();
		late(recorder, 10);
		assertThat(recorder.isSettled(SCENARIO)).isTrue();
		assertThat(recorder.finished().verdict()).isEqualTo(Verdict.FAILED);
	}

	private static void late(RunRecorder recorder, int times) {
		late(recorder, times, 700);
	}

	private static void late(RunRecorder recorder, int times, long millis) {
		for (int i = 0; i < times; i++) {
			for (RequestTemplate request : List.of(A, B)) {
				recorder.add(new Outcome.Late(SCENARIO, request, Duration.ofMillis(millis),
						"took 700 ms (expected at most 500 ms)", true));
			}
		}
	}

	@Test
	void aJvmThatIsStillBusyIsTimedOutAndNamedBeforeWhatIsNotSteady() {
		String busy = "the compiler of gw took 80 % of its processors";
		RunRecorder steady = recorder(CATALOG, 1, LenientCriteria.AT_ONCE);
		RunRecorder unsteady = recorder(CATALOG, 10, TEN_ANSWERS);
		for (RunRecorder recorder : List.of(steady, unsteady)) {
			recorder.add(answered(A, 10));
			recorder.add(answered(B, 10));
			recorder.busy(Optional.of(busy));
			assertThat(recorder.finished().verdict()).isEqualTo(Verdict.TIMED_OUT);
		}
		assertThat(steady.finished().reason()).hasValue("the budget was spent before all was steady: " + busy);
		assertThat(unsteady.finished().reason()).hasValue("the budget was spent after 2 of 20 requests before all was"
				+ " steady: " + busy + ", GET /a had 1 of the 10 answers that are needed,"
				+ " GET /b/{{c}} had 1 of the 10 answers that are needed");
	}

	@Test
	void findingsAreRecordedOnceAndNoMoreThanTwentyOfThem() {
		RunRecorder recorder = recorder(1);
		recorder.addFinding("One\nline.");
		recorder.addFinding("One line.");
		IntStream.range(0, 30).forEach((i) -> recorder.addFinding("Finding " + i));
		assertThat(recorder.finished().findings()).hasSize(20).startsWith("One line.", "Finding 0");
	}

	@Test
	void anOutcomeOfAnotherPlanIsRefused() {
		Scenario other = Catalogs.ofRequests("GET /other").scenarios().get(0);
		assertThatIllegalArgumentException()
			.isThrownBy(() -> recorder(1).add(new Outcome.NotSent(other, other.requests().get(0))));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "401 | | only the security filters were warmed: give the catalog credentials, such as",
					"403 | | look for missing rights, CSRF", "401 403 | | look for missing rights, CSRF",
					"301 302 | | redirects are not followed: does the service want HTTPS", "500 | | ", "401 500 | | ",
					"302 404 | | ", "200 | | ", "503 | | ", "500 | 503 | ",
					" | 200 | the answers did not come from the instance: a cache",
					"500 | 200 | the answers did not come from the instance: a cache",
					" | 421 | a route has to lead to one instance", " | 503 504 | look for its route to the service" })
	void statusesThatAllLookAlikePointToTheirCause(@Nullable String byService, @Nullable String unproven,
			@Nullable String advice) {
		RunRecorder recorder = recorder(1);
		statuses(byService).forEach((status) -> recorder.add(unexpected(A, status, true)));
		statuses(unproven).forEach((status) -> recorder.add(unexpected(A, status, false)));
		String reason = recorder.finished().reason().orElseThrow();
		if (advice != null) {
			assertThat(reason).startsWith("GET /a ").contains(": ").contains(advice);
		}
		else {
			assertThat(reason).matches("GET /a \\d+ \\(expected 2xx\\)");
		}
	}

	private static IntStream statuses(@Nullable String all) {
		return Stream.ofNullable(all).flatMap((some) -> Stream.of(some.split(" "))).mapToInt(Integer::parseInt);
	}

	private RunRecorder recorder(int repetitions) {
		return recorder(CATALOG, repetitions, this.criteria);
	}

	private RunRecorder recorder(Catalog catalog, int repetitions, RunSettings.SteadyCriteria criteria) {
		return new RunRecorder("r", Trigger.IDLE, "gw", Plan.of(catalog, "any", Trigger.IDLE, repetitions), List.of(),
				criteria, this.clock);
	}

	private RunRecord record(int repetitions, Outcome... outcomes) {
		RunRecorder recorder = recorder(repetitions);
		List.of(outcomes).forEach(recorder::add);
		return recorder.finished();
	}

	private static void answer(RunRecorder recorder, int times) {
		for (int i = 0; i < times; i++) {
			recorder.add(answered(A, 10));
			recorder.add(answered(B, 10));
		}
	}

	private static Outcome answered(RequestTemplate request, long latency) {
		return new Outcome.Answered(SCENARIO, request, Duration.ofMillis(latency));
	}

	private static Outcome unexpected(RequestTemplate request, int status) {
		return unexpected(request, status, true);
	}

	private static Outcome unexpected(RequestTemplate request, int status, boolean byService) {
		return new Outcome.Unexpected(SCENARIO, request, Duration.ofMillis(1), status, status + " (expected 2xx)",
				byService);
	}

	private static Outcome failed(RequestTemplate request, String problem) {
		return new Outcome.Failed(SCENARIO, request, problem);
	}

}
