package dev.warmup.run;

import java.time.Duration;

import dev.warmup.protocol.JvmReading;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class JvmActivityTests {

	private final JvmActivity activity = new JvmActivity(new RunSettings.SteadyCriteria(1, 1, 1, 0.5, 10, 1_000));

	@Test
	void lessThanASecondIsNeitherKnownToBeQuietNorBusy() {
		for (int millis : new int[] { 0, 900 }) {
			assertThat(this.activity.isQuiet()).isFalse();
			note("a", millis, 1, 0, 0);
			assertThat(this.activity.busy()).isEmpty();
		}
		assertThat(this.activity.isQuiet()).isFalse();
		note("a", 1_000, 1, 0, 0);
		assertThat(this.activity.isQuiet()).isTrue();
	}

	@Test
	void compilingIsComparedToTheProcessorsThatThereAre() {
		note("a", 0, 2, 0, 0);
		note("a", 1_000, 2, 700, 0);
		assertThat(this.activity.isQuiet()).isTrue();
		note("b", 0, 1, 0, 0);
		note("b", 1_000, 1, 700, 0);
		assertThat(this.activity.isQuiet()).isFalse();
		assertThat(this.activity.busy()).hasValue("the compiler of b took 70 % of its processors");
	}

	@Test
	void loadingClassesIsBusyToo() {
		note("a", 0, 1, 0, 0);
		note("a", 2_000, 1, 0, 42);
		assertThat(this.activity.busy()).hasValue("a loaded 21 classes a second");
	}

	@Test
	void onlyTheLastTwoSecondsCount() {
		note("a", 0, 1, 0, 0);
		note("a", 1_000, 1, 900, 1_000);
		note("a", 2_000, 1, 900, 1_000);
		assertThat(this.activity.isQuiet()).isFalse();
		note("a", 3_000, 1, 900, 1_000);
		assertThat(this.activity.isQuiet()).isTrue();
	}

	@Test
	void aJvmThatFallsSilentIsJudgedByItsLastWords() {
		note("a", 0, 1, 0, 0);
		note("a", 1_000, 1, 900, 0);
		note("b", 5_000, 1, 0, 0);
		note("b", 6_000, 1, 0, 0);
		assertThat(this.activity.busy().orElseThrow()).contains("compiler of a");
	}

	private void note(String jvm, long millis, double processors, long jit, long classes) {
		this.activity.note(Duration.ofMillis(millis).toNanos(),
				new JvmReading(jvm, processors, Duration.ofMillis(jit), classes));
	}

}
