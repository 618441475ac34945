package dev.warmup.run;

import java.time.Duration;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class ContentionTests {

	private final Contention contention = new Contention(0.5);

	@Test
	void threadsThatWaitForLongerThanTheyMayAreContention() {
		record(0, 0, 0);
		record(1000, 400, 150);
		assertThat(this.contention.lasting(true)).isEmpty();
		record(2000, 800, 1040);
		assertThat(this.contention.lasting(true))
			.hasValue("the machine is busy or its CPU limit is low: threads waited 1.3 times as long as they ran");
	}

	@ParameterizedTest(name = "{0}")
	@CsvSource({ "only the last two seconds count, 1000, 100, 900, 3000, 1100, 950",
			"less than a second is not known, 0, 0, 0, 900, 10, 890",
			"what an idle process waits does not count, 0, 0, 0, 2000, 10, 90" })
	void threadsThatWaitAreNotAlwaysContention(String why, long before, long ranBefore, long waitedBefore, long after,
			long ran, long waited) {
		record(0, 0, 0);
		record(before, ranBefore, waitedBefore);
		record(after, ran, waited);
		assertThat(this.contention.lasting(true)).isEmpty();
	}

	/** Its times would be missing in the sum of all. */
	@Test
	void aThreadThatEndsChangesNothing() {
		this.contention.record(0, Map.of("1", times(0, 0), "2", times(9000, 9000)));
		this.contention.record(Duration.ofSeconds(2).toNanos(), Map.of("1", times(1000, 1300)));
		assertThat(this.contention.lasting(true)).isPresent();
	}

	@Test
	void aThreadThatBeginsCountsFromThenOn() {
		this.contention.record(0, Map.of("1", times(0, 0)));
		this.contention.record(Duration.ofSeconds(2).toNanos(), Map.of("1", times(100, 0), "2", times(100, 900)));
		assertThat(this.contention.lasting(true)).isPresent();
	}

	private void record(long millis, long ran, long waited) {
		this.contention.record(Duration.ofMillis(millis).toNanos(), Map.of("1", times(ran, waited)));
	}

	@Test
	void contentionThatUsersMeetLastsAndOneThatBeginsWithThemIsTheirOwn() {
		record(0, 0, 0);
		record(2000, 1000, 1300);
		assertThat(this.contention.lasting(false)).as("users began it").isEmpty();
		assertThat(this.contention.lasting(true)).isPresent();
		assertThat(this.contention.lasting(false)).as("a user came").isPresent();
		record(5000, 3000, 1300);
		assertThat(this.contention.lasting(false)).as("it has ended").isEmpty();
		record(8000, 4000, 4000);
		assertThat(this.contention.lasting(false)).isEmpty();
	}

	@Test
	void timesThatCannotBeReadAreNoSample() {
		record(0, 0, 0);
		record(1000, 900, 0);
		this.contention.record(Duration.ofMillis(1500).toNanos(), Map.of());
		record(2000, 1800, 100);
		assertThat(this.contention.lasting(true)).isEmpty();
	}

	private static Contention.Times times(long ran, long waited) {
		return new Contention.Times(Duration.ofMillis(ran).toNanos(), Duration.ofMillis(waited).toNanos());
	}

}
