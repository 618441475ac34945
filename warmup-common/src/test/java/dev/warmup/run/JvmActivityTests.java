package dev.warmup.run;

import java.time.Duration;

import dev.warmup.protocol.JvmReading;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class JvmActivityTests {

	private final JvmActivity activity = new JvmActivity(0.5, 10);

	@Test
	void nothingSeenIsNotQuietAndNotKnownToBeBusy() {
		assertThat(this.activity.isQuiet()).isFalse();
		assertThat(this.activity.busy()).isEmpty();
	}

	@Test
	void lessThanASecondDoesNotTell() {
		note("a", 0, 1, 0, 0);
		note("a", 900, 1, 0, 0);
		assertThat(this.activity.isQuiet()).isFalse();
		assertThat(this.activity.busy()).isEmpty();
		note("a", 1_000, 1, 0, 0);
		assertThat(this.activity.isQuiet()).isTrue();
	}

	@Test
	void compilingIsComparedToTheProcessorsThatThereAre() {
		note("a", 0, 1, 0, 0);
		note("a", 1_000, 1, 700, 0);
		assertThat(this.activity.isQuiet()).isFalse();
		assertThat(this.activity.busy()).hasValue("the compiler of a took 70 % of its processors");
		JvmActivity two = new JvmActivity(0.5, 10);
		two.note(0, reading("a", 2, 0, 0));
		two.note(Duration.ofSeconds(1).toNanos(), reading("a", 2, 700, 0));
		assertThat(two.isQuiet()).isTrue();
	}

	@Test
	void loadingClassesIsBusyToo() {
		note("a", 0, 1, 0, 0);
		note("a", 2_000, 1, 0, 42);
		assertThat(this.activity.busy()).hasValue("a loaded 21 classes a second");
	}

	@Test
	void everyJvmCounts() {
		for (int second = 0; second <= 3; second++) {
			note("service", second * 1_000, 1, 0, 0);
			note("gateway", second * 1_000, 1, second * 800, 0);
		}
		assertThat(this.activity.isQuiet()).isFalse();
		assertThat(this.activity.busy().orElseThrow()).contains("gateway");
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
		this.activity.note(Duration.ofMillis(millis).toNanos(), reading(jvm, processors, jit, classes));
	}

	private static JvmReading reading(String jvm, double processors, long jit, long classes) {
		return new JvmReading(jvm, processors, Duration.ofMillis(jit), classes);
	}

}
