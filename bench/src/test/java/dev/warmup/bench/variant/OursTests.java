package dev.warmup.bench.variant;

import dev.warmup.bench.stack.Answer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class OursTests {

	@Test
	void addsUpTheRunsOfAnInstance() {
		assertThat(sent("{\"runs\":[{\"sent\":2300,\"failed\":0},{\"sent\":12,\"failed\":3}]}"))
			.isEqualTo(new Effort(2312, 3));
		assertThat(sent("{\"runs\":[]}")).isEqualTo(Effort.NONE);
	}

	@Test
	void failsOnARunThatDoesNotTell() {
		assertThatIllegalStateException().isThrownBy(() -> sent("{\"runs\":[{\"failed\":0}]}"))
			.withMessageContaining("sent");
	}

	private static Effort sent(String body) {
		return Ours.sent(new Answer(200, body));
	}

}
