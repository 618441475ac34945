package dev.warmup.run;

import java.time.Duration;

import dev.warmup.protocol.JvmSnapshot;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class JvmActivityTests {

	private final JvmActivity activity = new JvmActivity(new RunSettings.SteadyCriteria(1, 1, 1, 0.5, 10, 1_000),
			"self");

	@Test
	void lessThanASecondIsNeitherKnownToBeQuietNorBusy() {
		for (int millis : new int[] { 0, 900 }) {
			assertThat(this.activity.isQuiet()).isFalse();
			record("a", millis, 1, 0, 0);
			assertThat(this.activity.busy()).isEmpty();
		}
		assertThat(this.activity.isQuiet()).isFalse();
		record("a", 1_000, 1, 0, 0);
		assertThat(this.activity.isQuiet()).isTrue();
	}

	@Test
	void compilingIsComparedToTheProcessorsThatThereAre() {
		record("a", 0, 2, 0, 0);
		record("a", 1_000, 2, 700, 0);
		assertThat(this.activity.isQuiet()).isTrue();
		record("b", 0, 1, 0, 0);
		record("b", 1_000, 1, 700, 0);
		assertThat(this.activity.isQuiet()).isFalse();
		assertThat(this.activity.busy()).hasValue("the compiler of b took 70 % of its processors");
	}

	@Test
	void loadingClassesIsBusyToo() {
		record("a", 0, 1, 0, 0);
		record("a", 2_000, 1, 0, 42);
		assertThat(this.activity.busy()).hasValue("a loaded 21 classes a second");
	}

	@Test
	void onlyTheLastTwoSecondsCount() {
		record("a", 0, 1, 0, 0);
		record("a", 1_000, 1, 900, 1_000);
		record("a", 2_000, 1, 900, 1_000);
		assertThat(this.activity.isQuiet()).isFalse();
		record("a", 3_000, 1, 900, 1_000);
		assertThat(this.activity.isQuiet()).isTrue();
	}

	@Test
	void aJvmWithoutNewSnapshotsIsJudgedByItsLastOnes() {
		record("a", 0, 1, 0, 0);
		record("a", 1_000, 1, 900, 0);
		record("b", 5_000, 1, 0, 0);
		record("b", 6_000, 1, 0, 0);
		assertThat(this.activity.busy().orElseThrow()).contains("compiler of a");
	}

	@Test
	void aJvmWithoutSnapshotsForHalfAMinuteIsForgotten() {
		record("a", 0, 1, 0, 0);
		record("a", 1_000, 1, 900, 0);
		record("c", 1_000, 1, 0, 0);
		record("b", 30_500, 1, 0, 0);
		record("b", 31_500, 1, 0, 0);
		assertThat(this.activity.busy()).isEmpty();
		assertThat(this.activity.isQuiet()).isTrue();
	}

	@Test
	void itsOwnJvmIsNotForgottenBetweenLongRounds() {
		record("self", 0, 1, 0, 0);
		record("a", 33_000, 1, 0, 0);
		record("a", 34_000, 1, 0, 0);
		record("self", 35_000, 1, 0, 0);
		assertThat(this.activity.isQuiet()).isTrue();
		record("a", 69_000, 1, 0, 0);
		record("self", 70_000, 1, 30_000, 0);
		assertThat(this.activity.busy()).hasValue("the compiler of self took 86 % of its processors");
	}

	private void record(String jvm, long millis, double processors, long jit, long classes) {
		this.activity.record(Duration.ofMillis(millis).toNanos(),
				new JvmSnapshot(jvm, processors, Duration.ofMillis(jit), classes));
	}

}
