package dev.warmup.actuate;

import java.util.Locale;

import dev.warmup.gateway.Reports;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.Verdict;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RunMetersTests {

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final RunMeters meters = new RunMeters(this.registry);

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

	private Timer runs(String trigger, String verdict) {
		return this.registry.get("warmup.run").tags("trigger", trigger, "verdict", verdict).timer();
	}

}
