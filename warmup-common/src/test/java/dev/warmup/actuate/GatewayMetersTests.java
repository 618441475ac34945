package dev.warmup.actuate;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

import dev.warmup.MutableClock;
import dev.warmup.RunningApplication;
import dev.warmup.gateway.Fleet;
import dev.warmup.gateway.Reports;
import dev.warmup.insight.Coverage;
import dev.warmup.insight.WarmupInsightAutoConfiguration;
import dev.warmup.protocol.Instance;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class GatewayMetersTests {

	private static final Instance CHAT = new Instance("chat-service", "chat-1");

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final GatewayMeters meters = new GatewayMeters(this.registry, Optional.of(new Coverage(Clock.systemUTC())),
			Optional.empty());

	@Test
	void onlyTheFirstUserOfARouteIsTimed() {
		Fleet fleet = new Fleet(new MutableClock());
		fleet.warmupAnswered(CHAT, "run-1", "rooms", Duration.ofMillis(4), false);
		fleet.reported(Reports.warm("chat-service", "chat-1", "run-1"));
		IntStream.range(0, 3)
			.forEach((i) -> fleet.userAnswered(CHAT, "rooms", Duration.ofMillis(20 - i), List.of(this.meters)));
		Timer first = this.registry.get("warmup.first.user.request")
			.tags("service", "chat-service", "route", "rooms")
			.timer();
		assertThat(first.count()).isEqualTo(1);
		assertThat(first.totalTime(first.baseTimeUnit())).isPositive();
		assertThat(first.getId().getDescription()).isNotBlank();
	}

	@Test
	void gatewayWithoutInsightHasTheMetersOfTheOtherParts() {
		try (RunningApplication gateway = RunningApplication.gateway(RunningApplication.Plain.class,
				"spring.autoconfigure.exclude=" + WarmupInsightAutoConfiguration.class.getName())) {
			assertThat(gateway.get("/actuator/metrics/warmup.claims").statusCode()).isEqualTo(200);
			assertThat(gateway.get("/actuator/metrics/warmup.coverage").statusCode()).isEqualTo(404);
			assertThat(gateway.json("/actuator/warmup").path("coverage").isObject()).isFalse();
		}
	}

}
