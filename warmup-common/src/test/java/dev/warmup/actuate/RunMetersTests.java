package dev.warmup.actuate;

import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

import dev.warmup.gateway.Reports;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.Verdict;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RunMetersTests {

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final RunMeters meters = new RunMeters(this.registry, Duration.ofSeconds(90));

	@Test
	void eachEndOfARunIsCountedFromZero() {
		for (Verdict verdict : Verdict.values()) {
			assertThat(runs("idle", verdict.name().toLowerCase(Locale.ROOT)).count()).isZero();
		}
		this.meters.onRun(Reports.warm("chat-service", "chat-1", "run-1").run());
		assertThat(runs("startup", "warm").count()).isEqualTo(1);
		assertThat(this.registry.find("warmup.run").timers()).hasSize(Trigger.values().length * Verdict.values().length)
			.extracting(Timer::count)
			.containsOnlyOnce(1L);
	}

	@Test
	void budgetIsPublished() {
		assertThat(this.registry.get("warmup.startup.budget").timeGauge().value(TimeUnit.SECONDS)).isEqualTo(90);
		assertThat(this.registry.get("warmup.startup.budget").timeGauge().getId().getDescription()).isNotBlank();
	}

	private Timer runs(String trigger, String verdict) {
		return this.registry.get("warmup.run").tags("trigger", trigger, "verdict", verdict).timer();
	}

}
