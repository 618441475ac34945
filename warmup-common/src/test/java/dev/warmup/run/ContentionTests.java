package dev.warmup.run;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

import static org.assertj.core.api.Assertions.assertThat;

class ContentionTests {

	private final Contention contention = new Contention(0.5);

	@Test
	void threadsThatWaitForLongerThanTheyMayAreContention() {
		note(0, 0, 0);
		note(1000, 400, 150);
		assertThat(this.contention.found()).isEmpty();
		note(2000, 800, 1040);
		assertThat(this.contention.found())
			.hasValue("the machine is busy: threads waited for a processor 1.3 times as long as they ran");
	}

	@Test
	void onlyTheLastTwoSecondsCount() {
		note(0, 0, 0);
		note(1000, 100, 900);
		note(3000, 1100, 950);
		assertThat(this.contention.found()).isEmpty();
	}

	@Test
	void lessThanASecondIsNotKnown() {
		note(0, 0, 0);
		note(900, 10, 890);
		assertThat(this.contention.found()).isEmpty();
	}

	@Test
	void whatAnIdleProcessWaitsIsNoContention() {
		note(0, 0, 0);
		note(2000, 10, 90);
		assertThat(this.contention.found()).isEmpty();
	}

	/** A thread that ended takes its times with it. */
	@Test
	void timesThatGoBackAreNoContention() {
		note(0, 5000, 5000);
		note(2000, 100, 100);
		assertThat(this.contention.found()).isEmpty();
	}

	@Test
	@EnabledOnOs(value = OS.LINUX, disabledReason = "only Linux counts how long threads wait")
	void readsTheTimesOfThisProcess() {
		Contention strict = new Contention(-1);
		strict.read(0);
		strict.read(Duration.ofMillis(100).toNanos());
		strict.read(Duration.ofSeconds(1).toNanos());
		assertThat(strict.found()).as("two readings, within less than the noise").isEmpty();
	}

	private void note(long millis, long ran, long waited) {
		this.contention.note(Duration.ofMillis(millis).toNanos(),
				new Contention.Times(Duration.ofMillis(ran).toNanos(), Duration.ofMillis(waited).toNanos()));
	}

}
