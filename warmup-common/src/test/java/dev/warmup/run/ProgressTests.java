package dev.warmup.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

import dev.warmup.MutableClock;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.Verdict;
import dev.warmup.run.Progress.RequestFigures;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ProgressTests {

	private static final Duration LATENCY = Duration.ofMillis(10);

	private final MutableClock clock = new MutableClock();

	@Test
	void everyScenarioIsRepeatedOftenEnoughFirstAndThenByWeight() {
		Progress progress = progress("{ name: rare, requests: [GET /rare] }",
				"{ name: often, weight: 9, requests: [GET /often] }");
		List<String> names = new ArrayList<>();
		IntStream.range(0, 100).forEach((i) -> names.add(replay(progress)));
		assertThat(names.subList(0, 2)).containsExactly("rare", "often");
		assertThat(names.subList(0, 6)).filteredOn("rare"::equals).hasSize(3);
		assertThat(names).filteredOn("rare"::equals).hasSizeBetween(9, 11);
	}

	@Test
	void aRequestThatFailsThreeTimesInARowIsTriedAgainAfterPausesThatDoubleToTenSeconds() {
		Progress progress = progress("{ name: only, requests: [GET /broken] }");
		Progress.Share share = progress.next().orElseThrow();
		RequestFigures request = share.requests().get(0);
		List<Long> pauses = new ArrayList<>();
		for (int failure = 0; failure < 8; failure++) {
			assertThat(progress.next()).isPresent();
			progress.add(request, new Outcome.Unexpected(LATENCY, 500, "500", true), "gw");
			Duration pause = progress.isDue(request) ? Duration.ZERO
					: Duration.between(this.clock.instant(), request.due());
			pauses.add(pause.toSeconds());
			this.clock.advance(pause);
		}
		assertThat(pauses).containsExactly(0L, 0L, 1L, 2L, 4L, 8L, 10L, 10L);
		progress.add(request, new Outcome.Expected(LATENCY, true, Map.of()), "gw");
		progress.add(request, new Outcome.Unexpected(LATENCY, 500, "500", true), "gw");
		assertThat(progress.isDue(request)).isTrue();
	}

	@Test
	void theReasonNamesTheRequestThatWasNeverAnsweredAheadOfThoseAnsweredTooRarely() {
		Progress progress = progress("{ name: fine, requests: [GET /fine] }",
				"{ name: endless, requests: [GET /endless] }");
		progress.add(progress.next().orElseThrow().requests().get(0), new Outcome.Expected(LATENCY, true, Map.of()),
				"gw");
		assertThat(progress.record(Optional.of(Verdict.DEGRADED)).reason()).get()
			.asString()
			.startsWith("GET /endless was answered 0 of ");
	}

	@Test
	void theOthersGoOnMeanwhile() {
		Progress progress = progress("{ name: broken, requests: [GET /broken] }",
				"{ name: fine, requests: [GET /fine] }");
		RequestFigures broken = progress.next().orElseThrow().requests().get(0);
		IntStream.range(0, 3)
			.forEach((i) -> progress.add(broken, new Outcome.Unexpected(LATENCY, 500, "500", true), "gw"));
		assertThat(progress.isDue(broken)).isFalse();
		assertThat(IntStream.range(0, 10).mapToObj((i) -> replay(progress))).containsOnly("fine");
	}

	@Test
	void aRequestThatCanNeverBeSentTakesNoTurnFromTheOthers() {
		Progress progress = progress(
				"{ name: stuck, requests: [{ name: a, method: GET, path: /a, capture: { id: $.id } }, \"GET /b/{{id}}\"] }",
				"{ name: fine, requests: [GET /fine] }");
		List<String> names = new ArrayList<>();
		for (int i = 0; i < 100; i++) {
			Progress.Share share = progress.next().orElseThrow();
			names.add(share.requests().get(0).scenario());
			share.requests()
				.forEach((request) -> progress.add(request, request.template().name().equals("GET /b/{{id}}")
						? new Outcome.NotSent("") : new Outcome.Expected(LATENCY, true, Map.of()), "gw"));
		}
		assertThat(names).filteredOn("fine"::equals).hasSizeGreaterThan(45);
	}

	@Test
	void aWaitThatAGatewayAsksForDoesNotCountAgainstTheBudget() {
		Progress progress = progress("{ name: only, requests: [GET /fine] }");
		replay(progress);
		this.clock.advance(Duration.ofSeconds(9));
		progress.waited(Duration.ofSeconds(4));
		assertThat(progress.snapshot(RunEnd.Kind.STARTUP, false, false, false).elapsed())
			.isEqualTo(Duration.ofSeconds(5));
	}

	@Test
	void halfOfTheLastTenFailuresAreNamedThoughAllWasAnsweredOftenEnough() {
		Progress progress = progress("{ name: only, requests: [GET /flaky] }");
		RequestFigures request = progress.next().orElseThrow().requests().get(0);
		IntStream.range(0, 20)
			.forEach((i) -> progress.add(request, new Outcome.Expected(LATENCY, true, Map.of()), "gw"));
		IntStream.range(0, 5).forEach((i) -> {
			progress.add(request, new Outcome.Expected(LATENCY, true, Map.of()), "gw");
			progress.add(request, new Outcome.Unexpected(LATENCY, 503, "503 (expected 2xx)", true), "gw");
		});
		RunEnd.Snapshot snapshot = progress.snapshot(RunEnd.Kind.STARTUP, false, false, false);
		assertThat(RunEnd.verdict(snapshot)).isEqualTo(Verdict.DEGRADED);
		assertThat(progress.record(Optional.of(Verdict.DEGRADED)).reason()).hasValue("GET /flaky 503 (expected 2xx)");
		IntStream.range(0, 3)
			.forEach((i) -> progress.add(request, new Outcome.Expected(LATENCY, true, Map.of()), "gw"));
		assertThat(RunEnd.verdict(progress.snapshot(RunEnd.Kind.STARTUP, false, false, false))).isEqualTo(Verdict.WARM);
	}

	@Test
	void tooFewAnswersInTheBudgetAreCounted() {
		Progress progress = progress("{ name: only, requests: [GET /slow] }");
		replay(progress);
		assertThat(progress.record(Optional.of(Verdict.DEGRADED)).reason())
			.hasValue("GET /slow was answered 1 of 3 times within warmup.startup.budget");
	}

	@Test
	void theCurveHasTheMedianOfEachSecondOfAnswersAsExpectedAndWhenTheGateOpened() {
		Progress progress = progress("{ name: only, requests: [GET /fine] }");
		assertThat(progress.record(Optional.empty()).curve()).isEmpty();
		answer(progress, 1100);
		assertThat(progress.record(Optional.empty()).curve().orElseThrow().p50()).containsExactly(1100.0);
		IntStream.of(40, 60, 50).forEach((millis) -> answer(progress, millis));
		progress.add(progress.next().orElseThrow().requests().get(0), new Outcome.Unexpected(LATENCY, 500, "500", true),
				"gw");
		this.clock.advance(Duration.ofSeconds(2));
		progress.gateOpens();
		answer(progress, 7);
		this.clock.advance(Duration.ofSeconds(1));
		answer(progress, 8);
		RunRecord.Curve curve = progress.record(Optional.empty()).curve().orElseThrow();
		assertThat(curve).isEqualTo(new RunRecord.Curve(Duration.ofSeconds(1), List.of(1100.0, 50.0, 0.0, 7.0),
				Optional.of(Duration.ofMillis(3250))));
		assertThat(progress.record(Optional.of(Verdict.WARM)).withoutRequests().curve()).hasValue(curve);
	}

	@Test
	void theCurveOfALongRunHasSixtyPointsAtMost() {
		Progress progress = progress("{ name: only, requests: [GET /fine] }");
		for (int second = 0; second < 130; second++) {
			answer(progress, 1000 - second);
		}
		RunRecord.Curve curve = progress.record(Optional.empty()).curve().orElseThrow();
		assertThat(curve.step()).as("of 120 seconds").isEqualTo(Duration.ofSeconds(2));
		assertThat(curve.p50()).hasSize(60).isSortedAccordingTo(Comparator.reverseOrder());
	}

	/** Answers one request as expected, which takes so long. */
	private void answer(Progress progress, int millis) {
		Duration latency = Duration.ofMillis(millis);
		this.clock.advance(latency);
		progress.add(progress.next().orElseThrow().requests().get(0), new Outcome.Expected(latency, true, Map.of()),
				"gw");
	}

	private Progress progress(String... scenarios) {
		return new Progress("r-1", Trigger.STARTUP,
				RunFixture.catalog(scenarios).scenariosFor("chat-service", Trigger.STARTUP),
				new RunParts.Settings(Duration.ofSeconds(10), Duration.ofMinutes(2), 3, Trigger.STARTUP, 0.1, 10, true),
				this.clock);
	}

	/** Answers one repetition as expected. */
	private static String replay(Progress progress) {
		Progress.Share share = progress.next().orElseThrow();
		share.requests()
			.forEach((request) -> progress.add(request, new Outcome.Expected(LATENCY, true, Map.of()), "gw"));
		return share.requests().get(0).scenario();
	}

}
