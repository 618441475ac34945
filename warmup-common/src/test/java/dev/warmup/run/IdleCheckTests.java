package dev.warmup.run;

import java.time.Duration;

import dev.warmup.protocol.IdleSchedule;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.UserActivity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class IdleCheckTests extends RunFixture {

	private static final Duration AFTER = Duration.ofMinutes(30);

	private final UserActivity users = new UserActivity(this.clock);

	private final WarmupRunner runner = runner();

	@Test
	void anIdleInstanceIsWarmedAgainWhenTheTimeAndItsJitterAreOver() {
		IdleCheck check = check(AFTER, Duration.ofSeconds(90));
		this.clock.advance(Duration.ofDays(1));
		assertRuns(check, 0);
		startup();
		assertThat(check.status().after()).isEqualTo(AFTER);
		assertThat(check.status().next()).hasValue(this.clock.instant().plus(AFTER).plusSeconds(90));
		this.clock.advance(AFTER.plusSeconds(89));
		assertRuns(check, 1);
		this.clock.advance(Duration.ofSeconds(1));
		assertRuns(check, 2);
		assertThat(this.state.runs().get(0).trigger()).isEqualTo(Trigger.IDLE);
	}

	@Test
	void aUsersRequestPostponesTheRunAndARunTheNext() {
		IdleCheck check = check(AFTER, Duration.ZERO);
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
		IdleCheck check = check(Duration.ZERO, Duration.ofSeconds(90));
		startup();
		this.clock.advance(Duration.ofDays(100));
		assertRuns(check, 1);
		assertThat(check.status().next()).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "PT30M, PT1M, PT1M", "PT4M, PT1M, PT1M", "PT2M, PT1M, PT30S", "PT4S, PT1M, PT1S",
			"PT0.1S, PT1M, PT0.1S", "PT0.1S, PT0.02S, PT0.02S", "PT0S, PT1M, PT1M" })
	void thePeriodIsAsSetUnlessAQuarterOfTheIdleTimeIsShorter(Duration after, Duration checkEvery, Duration period) {
		assertThat(new IdleSchedule(after, checkEvery, after).period()).isEqualTo(period);
	}

	private IdleCheck check(Duration after, Duration jitter) {
		return new IdleCheck(this.runner, this.state, this.users,
				new IdleSchedule(after, Duration.ofMinutes(1), after.plus(jitter)), this.clock);
	}

	private void startup() {
		run(this.runner, Trigger.STARTUP);
	}

	private void assertRuns(IdleCheck check, int runs) {
		await(check.check());
		assertThat(this.state.runs()).hasSize(runs);
	}

}
