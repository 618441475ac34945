package dev.warmup.e2e;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import dev.warmup.bench.stack.App;
import dev.warmup.bench.stack.Stack;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Clocks that differ by an hour. Alone, because libfaketime makes a JVM many times as
 * slow and takes the machine from others; without it these tests are skipped.
 */
@Tag("faults")
@Isolated
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class ClockFaultsIT {

	private static final Path FAKETIME = Path.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1");

	@ParameterizedTest
	@ValueSource(strings = { "+1h", "-1h" })
	void clockOfAnInstanceIsWrong(String shift) {
		Assumptions.assumeTrue(Files.exists(FAKETIME), "libfaketime is not installed");
		try (Stack stack = Stacks.counted("clock-of-instance", 20, "20s").start()) {
			stack.service().awaitReady(Stacks.SOON);
			Stacks.awaitUsers(stack);
			try (Fault fault = Fault.of("the clock of an instance is off by %s".formatted(shift), stack).begins()) {
				stack.settings().prefix(faketime(shift));
				App wrong = stack.addService();
				fault.recovers(() -> wrong.get(Stacks.READY).status() == 200);
				fault.verdictOf(wrong);
				assertThat(Stacks.verdicts(wrong, "STARTUP").get(0)).isNotEqualTo("WARM");
				assertThat(wrong.logText()).contains("its clock and this instance's differ by 3");
				fault.noErrorsSoFar(); // its gate is open, since on-failure is open, and
										// it is slow
				assertThat(wrong.stop()).isTrue();
			}
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "+1h", "-1h" })
	void clockOfAGatewayIsWrong(String shift) {
		Assumptions.assumeTrue(Files.exists(FAKETIME), "libfaketime is not installed");
		try (Stack stack = Stacks.counted("clock-of-gateway", 20, "20s").start()) {
			stack.service().awaitReady(Stacks.SOON);
			Stacks.awaitUsers(stack);
			try (Fault fault = Fault.of("the clock of one of two gateways is off by %s".formatted(shift), stack)
				.begins()) {
				stack.settings().prefix(faketime(shift));
				App wrong = stack.addGateway();
				fault.recovers(() -> wrong.get(Stacks.READY).status() == 200);
				stack.settings().prefix();
				App newcomer = stack.addService();
				await().atMost(Stacks.SOON).until(() -> newcomer.get(Stacks.READY).status() == 200);
				fault.verdictOf(newcomer);
				fault.users().during(Duration.ofSeconds(10));
				fault.noErrors();
			}
		}
	}

	private static String[] faketime(String shift) {
		return new String[] { "env", "LD_PRELOAD=" + FAKETIME, "FAKETIME=" + shift, "FAKETIME_DONT_FAKE_MONOTONIC=1" };
	}

}
