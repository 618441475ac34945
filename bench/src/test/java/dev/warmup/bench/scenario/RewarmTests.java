package dev.warmup.bench.scenario;

import java.time.Instant;

import dev.warmup.bench.stack.Answer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class RewarmTests {

	private static final Instant PAGED_OUT = Instant.parse("2020-01-01T00:00:10Z");

	@Test
	void reportedRunsAreCountedByTheirLines() {
		assertThat(Rewarm.count("""
				x dev.warmup.status : chat-service/1 WARM: 100 requests
				x dev.warmup.status : chat-service/1 IDLE re-warm WARM: 20 requests
				x dev.warmup.status : chat-service/1 IDLE re-warm DEGRADED: 20 requests
				""")).isEqualTo(2);
	}

	@Test
	void aRunThatBeganAfterwardsAndLeftItWarmIsFine() {
		assertThat(Rewarm.judge(run("IDLE", "WARM", "2020-01-01T00:00:12Z"), PAGED_OUT)).isEmpty();
	}

	@Test
	void readersAreToldOfARunThatFellShort() {
		assertThat(Rewarm.judge(run("IDLE", "DEGRADED", "2020-01-01T00:00:12Z"), PAGED_OUT))
			.hasValueSatisfying((note) -> assertThat(note).contains("DEGRADED"));
	}

	@Test
	void aRunThatBeganBeforeTheMemoryWasPagedOutProvesNothing() {
		assertThatIllegalStateException()
			.isThrownBy(() -> Rewarm.judge(run("IDLE", "WARM", "2020-01-01T00:00:09Z"), PAGED_OUT))
			.withMessageContaining("before the memory was paged out");
		assertThatIllegalStateException()
			.isThrownBy(() -> Rewarm.judge(run("STARTUP", "WARM", "2020-01-01T00:00:12Z"), PAGED_OUT));
	}

	private static Answer run(String trigger, String verdict, String startedAt) {
		return new Answer(200, "{\"runs\":[{\"trigger\":\"%s\",\"verdict\":\"%s\",\"startedAt\":\"%s\"}]}"
			.formatted(trigger, verdict, startedAt));
	}

}
