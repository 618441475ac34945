package dev.warmup.bench.result;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class SummaryTests {

	private static final Series OURS = new Series("burst", "1 s", "ours", "p99");

	@Test
	void figureIsMedianRangeAndNumberOfSamples() {
		Summary summary = Runs.none()
			.with("burst", "1 s", "ours", "p99", Unit.MILLIS, 1, 9)
			.with("burst", "1 s", "ours", "p99", Unit.MILLIS, 2, 2)
			.with("burst", "1 s", "ours", "p99", Unit.MILLIS, 3, 4)
			.with("burst", "2 s", "ours", "p99", Unit.MILLIS, 1, 1000)
			.summary();
		assertThat(summary.figure(OURS)).contains(new Figure(Unit.MILLIS, 3, 4, 2, 9));
		assertThat(summary.figure(OURS.of("steady"))).isEmpty();
	}

	@Test
	void medianOfAnEvenNumberIsBetweenTheTwoInTheMiddle() {
		Summary summary = Runs.none()
			.with("burst", "1 s", "ours", "p99", Unit.MILLIS, 1, 1)
			.with("burst", "1 s", "ours", "p99", Unit.MILLIS, 2, 100)
			.with("burst", "1 s", "ours", "p99", Unit.MILLIS, 3, 4)
			.with("burst", "1 s", "ours", "p99", Unit.MILLIS, 4, 2)
			.summary();
		assertThat(summary.figure(OURS).orElseThrow().median()).isEqualTo(3);
	}

	@Test
	void whatIsNoFiniteNumberIsLeftOut() {
		Summary summary = Runs.none()
			.with("burst", "1 s", "ours", "p99", Unit.MILLIS, 1, Double.NaN)
			.with("burst", "1 s", "ours", "p99", Unit.MILLIS, 2, 5)
			.summary();
		assertThat(summary.figure(OURS)).contains(new Figure(Unit.MILLIS, 1, 5, 5, 5));
	}

	@Test
	void steadyOfTheSamePartIsTheBase() {
		Summary summary = Runs.none()
			.with("burst", "1 s", "ours", "p99", Unit.MILLIS, 30)
			.with("burst", "1 s", "steady", "p99", Unit.MILLIS, 10)
			.with("burst", "10 s", "steady", "p99", Unit.MILLIS, 15)
			.summary();
		assertThat(summary.againstSteady(OURS)).hasValue(3);
	}

	@Test
	void steadyWasMeasuredOnceForAllRestarts() {
		Summary summary = Runs.none()
			.first("service", "ours", "sign-up", 3)
			.first("everything", "steady", "sign-up", 2)
			.summary();
		assertThat(summary.againstSteady(new Series("first", "service", "ours", "sign-up"))).hasValue(1.5);
	}

	@Test
	void anotherPartOfABurstIsNoBase() {
		Summary summary = Runs.none()
			.with("burst", "1 s", "ours", "p99", Unit.MILLIS, 30)
			.with("burst", "10 s", "steady", "p99", Unit.MILLIS, 10)
			.summary();
		assertThat(summary.againstSteady(OURS)).isEmpty();
	}

	@Test
	void thereIsNoMultipleOfZero() {
		Summary summary = Runs.none()
			.with("burst", "1 s", "ours", "errors", Unit.COUNT, 3)
			.with("burst", "1 s", "steady", "errors", Unit.COUNT, 0)
			.summary();
		assertThat(summary.againstSteady(new Series("burst", "1 s", "ours", "errors"))).isEmpty();
	}

	@Test
	void roundsAreHeldAgainstTheirOwn() {
		Series before = new Series("join", "", "ours", "p99 before");
		Series around = new Series("join", "", "ours", "p99 around");
		Summary summary = Runs.none()
			.with("join", "", "ours", "p99 before", Unit.MILLIS, 1, 10)
			.with("join", "", "ours", "p99 around", Unit.MILLIS, 1, 11)
			.with("join", "", "ours", "p99 before", Unit.MILLIS, 2, 40)
			.with("join", "", "ours", "p99 around", Unit.MILLIS, 2, 48)
			.with("join", "", "ours", "p99 before", Unit.MILLIS, 3, 40)
			.summary();
		Figure ratio = summary.byRound(around, before).orElseThrow();
		assertThat(ratio.n()).isEqualTo(2);
		assertThat(ratio.median()).isCloseTo(1.15, within(1e-9));
		assertThat(ratio.max()).isCloseTo(1.2, within(1e-9));
	}

	@Test
	void variantsStandAsInTheTablesAndThoseWithoutATitleAfterThem() {
		Summary summary = Runs.none()
			.with("idle", "", "steady", "sign-up", Unit.MILLIS, 2)
			.with("idle", "", "not-rewarmed", "sign-up", Unit.MILLIS, 90)
			.with("idle", "", "ours", "sign-up", Unit.MILLIS, 3)
			.summary();
		assertThat(summary.variants("idle", "")).containsExactly("ours", "steady", "not-rewarmed");
		assertThat(summary.title("steady")).isEqualTo("steady state");
		assertThat(summary.title("not-rewarmed")).isEqualTo("not-rewarmed");
	}

	@Test
	void figuresAreWrittenWithTheDigitsTheyCanBear() {
		assertThat(new Figure(Unit.MILLIS, 5, 284.6, 241.2, 359).text()).isEqualTo("285 ms [241–359]");
		assertThat(new Figure(Unit.MILLIS, 5, 10.04, 7.91, 12.6).text()).isEqualTo("10.0 ms [7.9–12.6]");
		assertThat(new Figure(Unit.COUNT, 5, 0, 0, 4).text()).isEqualTo("0 [0–4]");
		assertThat(new Figure(Unit.RATIO, 1, 1.9, 1.9, 1.9).text()).isEqualTo("1.90x");
		assertThat(new Figure(Unit.MILLIS, 1, 0.42, 0.42, 0.42).text()).isEqualTo("0.42 ms");
	}

	@Test
	void rangesThatTouchOverlap() {
		Figure low = new Figure(Unit.MILLIS, 3, 2, 1, 3);
		assertThat(low.overlaps(new Figure(Unit.MILLIS, 3, 4, 3, 5))).isTrue();
		assertThat(low.overlaps(new Figure(Unit.MILLIS, 3, 4, 3.1, 5))).isFalse();
		assertThat(new Figure(Unit.MILLIS, 3, 4, 3.1, 5).overlaps(low)).isFalse();
	}

}
