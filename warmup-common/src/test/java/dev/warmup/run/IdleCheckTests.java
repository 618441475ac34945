package dev.warmup.run;

import java.time.Duration;
import java.time.Instant;

import dev.warmup.MutableClock;
import dev.warmup.protocol.IdleSchedule;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.UserActivity;
import dev.warmup.protocol.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class IdleCheckTests extends RunFixture {

	private static final Duration AFTER = Duration.ofMinutes(30);

	private final UserActivity users = new UserActivity(this.clock);

	private final WarmupRunner runner = runner();

	private double random;

	@Test
	void anIdleInstanceIsWarmedAgainWhenTheTimeAndItsJitterAreOver() {
		this.random = 0.5;
		IdleCheck check = check(AFTER, 0.1);
		this.clock.advance(Duration.ofDays(1));
		assertRuns(check, 0);
		startup();
		assertThat(check.next()).hasValue(this.clock.instant().plus(AFTER).plusSeconds(90));
		this.clock.advance(AFTER.plusSeconds(89));
		assertRuns(check, 1);
		this.clock.advance(Duration.ofSeconds(1));
		assertRuns(check, 2);
		assertThat(this.state.runs().get(0).trigger()).isEqualTo(Trigger.IDLE);
	}

	@Test
	void theJitterIsDrawnAnewForEachWaitAndOnlyThen() {
		IdleCheck check = check(AFTER, 0.1);
		startup();
		this.random = 0.2;
		assertThat(check.next()).hasValueSatisfying(
				(next) -> assertThat(next).isBeforeOrEqualTo(MutableClock.START.plus(AFTER).plusSeconds(36)));
		this.clock.advance(Duration.ofSeconds(1));
		this.users.touch();
		this.random = 1;
		Instant drawn = MutableClock.START.plusSeconds(1).plus(AFTER).plusSeconds(180);
		assertThat(check.next()).hasValue(drawn);
		this.random = 0;
		assertThat(check.next()).hasValue(drawn);
	}

	@Test
	void aUsersRequestPostponesTheRunAndARunTheNext() {
		IdleCheck check = check(AFTER, 0);
		startup();
		this.clock.advance(Duration.ofMinutes(29));
		this.users.touch();
		for (int run = 1; run <= 2; run++) {
			this.clock.advance(Duration.ofMinutes(29));
			assertRuns(check, run);
			this.clock.advance(Duration.ofMinutes(1));
			assertRuns(check, run + 1);
			assertRuns(check, run + 1);
		}
	}

	@Test
	void zeroMeansNever() {
		IdleCheck check = check(Duration.ZERO, 0.1);
		startup();
		this.clock.advance(Duration.ofDays(100));
		assertRuns(check, 1);
		assertThat(check.next()).isEmpty();
	}

	@Test
	void aRunThatBreaksOffDoesNotEndTheSchedule() {
		IdleCheck check = check(AFTER, 0);
		startup();
		this.catalogs = () -> {
			throw new IllegalStateException("disk gone");
		};
		this.clock.advance(AFTER);
		assertRuns(check, 2);
		this.catalogs = () -> CATALOG;
		this.clock.advance(AFTER);
		assertRuns(check, 3);
		assertThat(this.state.runs()).extracting(RunRecord::verdict)
			.containsExactly(Verdict.WARM, Verdict.FAILED, Verdict.WARM);
	}

	@ParameterizedTest
	@CsvSource({ "PT30M, PT1M, PT1M", "PT4M, PT1M, PT1M", "PT2M, PT1M, PT30S", "PT4S, PT1M, PT1S",
			"PT0.1S, PT1M, PT0.1S", "PT0.1S, PT0.02S, PT0.02S", "PT0S, PT1M, PT1M" })
	void thePeriodIsAsSetUnlessAQuarterOfTheIdleTimeIsShorter(Duration after, Duration checkEvery, Duration period) {
		assertThat(new IdleSchedule(after, checkEvery, 0).period()).isEqualTo(period);
	}

	private IdleCheck check(Duration after, double jitter) {
		return new IdleCheck(this.runner, this.state, this.users,
				new IdleSchedule(after, Duration.ofMinutes(1), jitter), this.clock, () -> this.random);
	}

	private void startup() {
		run(this.runner, Trigger.STARTUP);
	}

	private void assertRuns(IdleCheck check, int runs) {
		await(check.check());
		assertThat(this.state.runs()).hasSize(runs);
	}

}
