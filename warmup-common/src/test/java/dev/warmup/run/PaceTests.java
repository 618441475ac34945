package dev.warmup.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.warmup.catalog.Scenario;
import dev.warmup.replay.Budget;
import dev.warmup.replay.Outcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Flux;

import static org.assertj.core.api.Assertions.assertThat;

class PaceTests {

	private static final Scenario SCENARIO = RunFixture.CATALOG.scenarios().get(0);

	private final RunFixture fixture = new RunFixture();

	private final Budget budget = this.fixture.budget(Duration.ofMinutes(1));

	private final Pace pace = new Pace(this.budget, this.fixture.time);

	@Test
	void thereIsNoPauseAtFirst() {
		assertThat(pause()).isZero();
	}

	@Test
	void pausesDoubleWithEveryFailureUpToTwoSecondsAndEndWithTheNextAnswer() {
		List<Long> pauses = new ArrayList<>();
		for (int i = 0; i < 7; i++) {
			note(RunFixture.failed(SCENARIO, "Connection refused"));
			pauses.add(pause().toMillis());
		}
		assertThat(pauses).containsExactly(100L, 200L, 400L, 800L, 1_600L, 2_000L, 2_000L);
		note(RunFixture.answered(SCENARIO));
		assertThat(pause()).isZero();
		note(RunFixture.failed(SCENARIO, "Connection refused"));
		assertThat(pause()).isEqualTo(Duration.ofMillis(100));
	}

	@ParameterizedTest
	@CsvSource({ "503, false, 100", "500, false, 100", "200, false, 100", "500, true, 0", "401, false, 0",
			"404, false, 0" })
	void onlyWhatAnswersInTheInstancesSteadOrFailsForItSlowsDown(int status, boolean byService, long millis) {
		note(RunFixture.unexpected(SCENARIO, status, byService));
		assertThat(pause()).isEqualTo(Duration.ofMillis(millis));
	}

	@Test
	void anAnswerOfTheInstanceThatIsNotTheOneExpectedIsALifeSignToo() {
		note(RunFixture.failed(SCENARIO, "Connection refused"));
		note(RunFixture.unexpected(SCENARIO, 404, true));
		assertThat(pause()).isZero();
	}

	@Test
	void aPauseEndsWithTheBudget() {
		Budget last = this.fixture.budget(Duration.ofMillis(30));
		Pace short30 = new Pace(last, this.fixture.time);
		RunFixture.failed(SCENARIO, "Connection refused").doOnNext(short30::note).blockLast(RunFixture.PATIENCE);
		assertThat(pause(short30, Duration.ofMinutes(1))).isEqualTo(Duration.ofMillis(30));
	}

	@Test
	void aPauseEndsWhenTheRunIsStopped() {
		note(RunFixture.failed(SCENARIO, "Connection refused"));
		List<String> ended = new ArrayList<>();
		this.pace.next().subscribe(null, null, () -> ended.add("ended"));
		this.fixture.time.advanceTimeBy(Duration.ofMillis(50));
		assertThat(ended).isEmpty();
		this.budget.stop();
		assertThat(ended).hasSize(1);
	}

	private void note(Flux<Outcome> outcomes) {
		outcomes.doOnNext(this.pace::note).blockLast(RunFixture.PATIENCE);
	}

	private Duration pause() {
		return pause(this.pace, Duration.ofSeconds(3));
	}

	private Duration pause(Pace tested, Duration patience) {
		List<Duration> at = new ArrayList<>();
		Duration before = Duration.ofNanos(this.fixture.nanoTime());
		tested.next().subscribe(null, null, () -> at.add(Duration.ofNanos(this.fixture.nanoTime())));
		this.fixture.time.advanceTimeBy(patience);
		return at.get(0).minus(before);
	}

}
