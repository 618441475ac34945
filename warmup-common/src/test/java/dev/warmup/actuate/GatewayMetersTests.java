package dev.warmup.actuate;

import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.List;
import java.util.stream.IntStream;

import dev.warmup.MutableClock;
import dev.warmup.gateway.Fleet;
import dev.warmup.gateway.Reports;
import dev.warmup.insight.Coverage;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.RunReport;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/** Latencies of runs and users as multiples of the steady latency. */
class GatewayMetersTests {

	private static final Instance CHAT = new Instance("chat-service", "chat-1");

	private final Fleet fleet = new Fleet(new MutableClock());

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final GatewayMeters meters = new GatewayMeters(this.registry, new Coverage(Clock.systemUTC()),
			Optional.empty());

	@Test
	void firstRequestOfARunIsComparedWithItsLastOnce() {
		this.fleet.warmupAnswered(CHAT, "run-0", "rooms", Duration.ofMillis(4), true);
		report("run-0");
		assertThat(this.registry.find("warmup.cold.ratio").meter()).as("without an answer").isNull();
		warmup(1, 100);
		warmup(150, 4);
		report("run-1");
		report("run-1");
		report("run-2"); // that took no route here
		DistributionSummary cold = this.registry.get("warmup.cold.ratio")
			.tags("service", "chat-service", "route", "rooms", "trigger", "startup")
			.summary();
		assertThat(cold.count()).isEqualTo(1);
		assertThat(cold.totalAmount()).isEqualTo(25, within(0.5));
	}

	@Test
	void usersAreComparedWithWhatTheRunFoundSteady() {
		warmup(60, 4);
		report("run-1");
		user(20);
		DistributionSummary first = this.registry.get("warmup.first.user.ratio")
			.tags("service", "chat-service", "route", "rooms")
			.summary();
		assertThat(first.totalAmount()).isEqualTo(5, within(0.1));
		assertThat(this.registry.find("warmup.truth.ratio").meter()).isNull();
		IntStream.range(0, 120).forEach((i) -> user(8));
		assertThat(first.count()).isEqualTo(1);
		DistributionSummary truth = this.registry.get("warmup.truth.ratio")
			.tags("service", "chat-service", "route", "rooms")
			.summary();
		assertThat(truth.count()).isEqualTo(1);
		assertThat(truth.totalAmount()).isEqualTo(2, within(0.1));
	}

	private void warmup(int count, long millis) {
		IntStream.range(0, count)
			.forEach((i) -> this.fleet.warmupAnswered(CHAT, "run-1", "rooms", Duration.ofMillis(millis), false));
	}

	private void report(String run) {
		RunReport report = Reports.warm("chat-service", "chat-1", run);
		this.fleet.reported(report).forEach((route) -> this.meters.onWarmed(CHAT, report.run(), route));
	}

	private void user(long millis) {
		this.fleet.userAnswered(CHAT, "rooms", Duration.ofMillis(millis), List.of(this.meters));
	}

}
