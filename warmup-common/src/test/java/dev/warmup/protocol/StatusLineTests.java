package dev.warmup.protocol;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import dev.warmup.gateway.Reports;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The exact shapes that operators and acceptance checks read. */
class StatusLineTests {

	private static final Instance INSTANCE = new Instance("chat-service", "host:chat-service:8080");

	private static final String WARM = "chat-service/host:chat-service:8080 WARM startup: 600 requests in 4.1 s, "
			+ "0 failed, first 1105 ms, steady p50 6.2 ms (178x), jit 2.3 s, +1934 classes";

	private final Locale localeBefore = Locale.getDefault();

	@AfterEach
	void restoreLocale() {
		Locale.setDefault(this.localeBefore);
	}

	@ParameterizedTest
	@ValueSource(strings = { "en-US", "ar-EG-u-nu-arab", "de-DE", "hi-IN-u-nu-deva", "fa-IR" })
	void runHasItsFiguresInWhateverLanguageTheMachineHas(String language) {
		Locale.setDefault(Locale.forLanguageTag(language));
		RunRecord run = run(Trigger.STARTUP, Verdict.WARM, 0, null);
		assertThat(StatusLine.of(INSTANCE, run)).isEqualTo(WARM);
		assertThat(StatusLine.ramping(INSTANCE, run, Optional.empty()))
			.endsWith(" RAMPING after 4.1 s: 600 requests, 0 failed, p50 6.2 ms");
	}

	@Test
	void rampingRunIsComparedWithItsSiblings() {
		RunRecord run = run(Trigger.STARTUP, Verdict.TIMED_OUT, 2, "the budget was spent");
		assertThat(StatusLine.ramping(INSTANCE, run, Optional.of(Duration.ofMillis(2)))).isEqualTo(
				"chat-service/host:chat-service:8080 RAMPING after 4.1 s: 600 requests, 2 failed, p50 6.2 ms (3.1x its siblings)");
	}

	@Test
	void rampingRunNamesWhatFails() {
		RunRecord run = run(Trigger.STARTUP, Verdict.DEGRADED, 2,
				"GET /chat-service/rooms 500 (expected 2xx); the budget was spent after 3 of 10 requests");
		assertThat(StatusLine.ramping(INSTANCE, run, Optional.empty()))
			.endsWith(": 600 requests, 2 failed, p50 6.2 ms; GET /chat-service/rooms 500 (expected 2xx)");
	}

	@Test
	void degradedRunNamesWhatFailed() {
		assertThat(StatusLine.of(INSTANCE,
				run(Trigger.STARTUP, Verdict.DEGRADED, 12, "GET /chat-service/rooms 500 (expected 2xx)")))
			.isEqualTo(WARM.replace("WARM", "DEGRADED").replace("0 failed", "12 failed")
					+ "; GET /chat-service/rooms 500 (expected 2xx)");
	}

	@Test
	void otherTriggersAreNamed() {
		assertThat(StatusLine.of(INSTANCE, run(Trigger.IDLE, Verdict.WARM, 0, null)))
			.startsWith("chat-service/host:chat-service:8080 IDLE re-warm WARM: 600 requests in 4.1 s, 0 failed");
		assertThat(StatusLine.of(INSTANCE, run(Trigger.MANUAL, Verdict.TIMED_OUT, 0, "the budget was spent")))
			.startsWith("chat-service/host:chat-service:8080 TIMED_OUT manual: 600 requests")
			.endsWith("; the budget was spent");
	}

	@Test
	void runThatSentNothingNamesTheReason() {
		assertThat(StatusLine.of(INSTANCE, Reports.unsent("r", Verdict.FAILED, "there is no gateway"))).isEqualTo(
				"chat-service/host:chat-service:8080 FAILED startup: there is no gateway (gave up after 60.0 s)");
		assertThat(StatusLine
			.of(INSTANCE, Reports.unsent("r", Verdict.SKIPPED, "file.yml has no scenario for chat-service"))).isEqualTo(
					"chat-service/host:chat-service:8080 SKIPPED startup: file.yml has no scenario for chat-service");
	}

	private static RunRecord run(Trigger trigger, Verdict verdict, long failed, @Nullable String reason) {
		return Reports.run("r", trigger, verdict, failed, reason, List.of());
	}

}
