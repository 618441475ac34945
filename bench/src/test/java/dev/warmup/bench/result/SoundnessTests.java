package dev.warmup.bench.result;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SoundnessTests {

	@Test
	void aWarmedSystemIsFasterThanAColdOne() {
		assertThat(Soundness.problem(firsts(300, 299))).isEmpty();
		assertThat(Soundness.problem(firsts(300, 300)).orElseThrow()).contains("300");
	}

	@Test
	void errorsAreNoLatency() {
		Runs runs = Runs.none()
			.first("everything", "nothing", "sign-up", 300)
			.first("everything", "ours", "sign-up", 3)
			.with("first", "everything", "ours", "errors", Unit.COUNT, 1, 1000);
		assertThat(Soundness.problem(runs.summary())).isEmpty();
	}

	private static Summary firsts(double cold, double warm) {
		return Runs.none()
			.first("everything", "nothing", "sign-up", cold)
			.first("everything", "ours", "sign-up", warm)
			.summary();
	}

	@Test
	void whatWasNotMeasuredIsNotSound() {
		assertThat(Soundness.problem(Runs.none().first("everything", "ours", "sign-up", 3).summary())).isPresent();
	}

}
