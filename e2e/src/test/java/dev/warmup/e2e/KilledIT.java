package dev.warmup.e2e;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.warmup.bench.stack.Answer;
import dev.warmup.bench.stack.Outcome;
import dev.warmup.bench.stack.Stack;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Who dies in the middle of a run leaves a stated verdict, and no cry of alarm. */
class KilledIT {

	private static final Duration SOON = Duration.ofMinutes(3);

	private Stack stack;

	private String warmup = "";

	@BeforeEach
	void startARun() {
		this.stack = Stacks.named("killed",
				Map.of("WARMUP_STARTUP_MIN_REPETITIONS", "30", "WARMUP_STARTUP_BUDGET", "60s"));
		Outcome up = this.stack.run("up", "--detach");
		assertThat(up.exitCode()).as(up.output()).isZero();
		this.warmup = this.stack.direct("chat-service-1", "/actuator/warmup");
		assertThat(Answer.to("POST", this.warmup).status()).isEqualTo(202);
	}

	@AfterEach
	void stop() {
		this.stack.close();
	}

	@Test
	void aGatewayThatIsKilledEndsTheRunWithAVerdict() {
		kill("gateway", true);
		await().atMost(SOON).until(() -> verdicts("MANUAL").size() == 1);
		assertThat(verdicts("MANUAL")).containsAnyOf("DEGRADED", "TIMED_OUT", "FAILED");
		assertThat(Answer.to("GET", this.warmup).<String>read("$.gate")).isEqualTo("OPEN");
		assertThat(Answer.to("GET", this.stack.direct("chat-service-1", "/rooms")).status()).isEqualTo(200);
		assertNoAlarm("chat-service-1");
	}

	@Test
	void anInstanceThatIsShutDownEndsItsRunCleanly() {
		ProcessHandle chat = kill("chat-service-1", false);
		await().atMost(SOON).until(() -> !chat.isAlive());
		assertThat(this.stack.log("chat-service-1")).contains("the run was stopped");
		assertNoAlarm("chat-service-1");
		assertNoAlarm("gateway");
		await().atMost(SOON).untilAsserted(() -> assertThat(Eureka.chatServices(this.stack)).isEmpty());
	}

	private List<String> verdicts(String trigger) {
		return Answer.to("GET", this.warmup).read("$.runs[?(@.trigger == '" + trigger + "')].verdict");
	}

	private ProcessHandle kill(String process, boolean atOnce) {
		ProcessHandle handle = ProcessHandle.of(this.stack.status().get(process).pid()).orElseThrow();
		assertThat(atOnce ? handle.destroyForcibly() : handle.destroy()).isTrue();
		return handle;
	}

	private void assertNoAlarm(String process) {
		assertThat(this.stack.log(process).lines()).noneMatch((line) -> line.contains(" ERROR "))
			.noneMatch((line) -> line.startsWith("\tat "));
	}

}
