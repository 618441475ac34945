package dev.warmup.bench.schedule;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CauseTests {

	@Test
	void linesBecomeOne() {
		assertThat(Cause.of(new IllegalStateException("up failed:\n\tno port\n")))
			.isEqualTo("IllegalStateException: up failed: no port");
	}

	@Test
	void ofALongMessageTheEndIsKept() {
		String output = "waiting for the gateway\n".repeat(100) + "stack: no answer after 180 s";

		assertThat(Cause.of(new IllegalStateException(output))).hasSizeLessThan(400)
			.startsWith("IllegalStateException: waiting")
			.endsWith("stack: no answer after 180 s");
	}

}
