package dev.warmup.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.warmup.catalog.Scenario;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Flux;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class ReplayThrottleTests {

	private static final Scenario SCENARIO = RunFixture.CATALOG.scenarios().get(0);

	private final RunFixture fixture = new RunFixture();

	private final Budget budget = this.fixture.budget(Duration.ofMinutes(1));

	private Duration taken = Duration.ZERO;

	private final ReplayThrottle throttle = new ReplayThrottle(this.budget, this.fixture.time, cpu(1));

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
	void onlyFailuresAndAnswersWithoutProofSlowDown(int status, boolean byService, long millis) {
		note(RunFixture.unexpected(SCENARIO, status, byService));
		assertThat(pause()).isEqualTo(Duration.ofMillis(millis));
	}

	@Test
	void anUnexpectedAnswerOfTheInstanceEndsThePausesToo() {
		note(RunFixture.failed(SCENARIO, "Connection refused"));
		note(RunFixture.unexpected(SCENARIO, 404, true));
		assertThat(pause()).isZero();
	}

	@Test
	void aPauseEndsWithTheBudget() {
		Budget last = this.fixture.budget(Duration.ofMillis(30));
		ReplayThrottle short30 = new ReplayThrottle(last, this.fixture.time, cpu(1));
		RunFixture.failed(SCENARIO, "Connection refused").doOnNext(short30::note).blockLast(RunFixture.PATIENCE);
		assertThat(pause(short30, Duration.ofMinutes(1))).isEqualTo(Duration.ofMillis(30));
	}

	@Test
	void aPauseEndsWhenTheRunIsStopped() {
		note(RunFixture.failed(SCENARIO, "Connection refused"));
		List<String> ended = new ArrayList<>();
		this.throttle.next().subscribe(null, null, () -> ended.add("ended"));
		this.fixture.time.advanceTimeBy(Duration.ofMillis(50));
		assertThat(ended).isEmpty();
		this.budget.stop();
		assertThat(ended).hasSize(1);
	}

	private void note(Flux<Outcome> outcomes) {
		outcomes.doOnNext(this.throttle::note).blockLast(RunFixture.PATIENCE);
	}

	private Duration pause() {
		return pause(this.throttle, Duration.ofSeconds(3));
	}

	private Duration pause(ReplayThrottle tested, Duration patience) {
		List<Duration> at = new ArrayList<>();
		Duration before = Duration.ofNanos(this.fixture.nanoTime());
		tested.next().subscribe(null, null, () -> at.add(Duration.ofNanos(this.fixture.nanoTime())));
		this.fixture.time.advanceTimeBy(patience);
		return at.get(0).minus(before);
	}

	@Test
	void whatWasTakenBeyondTheShareIsWaitedForASecondAtMost() {
		ReplayThrottle half = new ReplayThrottle(this.budget, this.fixture.time, cpu(0.5));
		this.taken = Duration.ofMillis(300);
		this.fixture.time.advanceTimeBy(Duration.ofMillis(200));
		Duration patience = Duration.ofSeconds(3);
		assertThat(pause(half, patience)).as("300 ms of half a processor are 600 ms").isEqualTo(Duration.ofMillis(400));
		assertThat(pause(half, patience)).as("3 s later").isZero();
		this.taken = Duration.ofSeconds(60);
		assertThat(pause(half, patience)).isEqualTo(ReplayThrottle.CpuShare.LONGEST_PAUSE);
	}

	@Test
	void aWholeShareHoldsNothingBack() {
		ReplayThrottle.CpuShare whole = cpu(1);
		this.taken = Duration.ofSeconds(60);
		assertThat(whole.pause()).isZero();
		assertThat(whole.finding()).isEmpty();
	}

	@Test
	void whatWasHeldBackIsFound() {
		ReplayThrottle.CpuShare half = cpu(0.5);
		assertThat(half.finding()).isEmpty();
		this.taken = Duration.ofMillis(300);
		half.pause();
		assertThat(half.finding())
			.hasValue("The run waited 0.6 s, to take no more than 0.50 of 1 processors (warmup.cpu.max-share).");
	}

	private ReplayThrottle.CpuShare cpu(double share) {
		return new ReplayThrottle.CpuShare(share, 1, () -> this.taken, this.fixture::nanoTime);
	}

}
