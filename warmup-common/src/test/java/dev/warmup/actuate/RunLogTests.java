package dev.warmup.actuate;

import dev.warmup.CapturedLog;
import dev.warmup.gateway.Reports;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.Verdict;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RunLogTests {

	@Test
	void eachRunIsALineAndAWarningIfItFailed() {
		RunLog runs = new RunLog(() -> new Instance("chat", "chat-1"));
		try (CapturedLog log = CapturedLog.of("dev.warmup.status")) {
			runs.onPhase(Phase.WARMING);
			runs.onRun(Reports.warm("chat", "chat-1", "run-1").run());
			runs.onPhase(Phase.WARM);
			runs.onRun(Reports.unsent("run-2", Verdict.FAILED, "no route"));
			assertThat(log.lines()).containsExactly("INFO chat/chat-1 WARMING",
					"INFO chat/chat-1 WARM startup: 600 requests in 4.1 s, 0 failed, first 1105 ms, "
							+ "steady p50 6.2 ms (178x), jit 2.3 s, +1934 classes (through gateway gateway-1)",
					"WARN chat/chat-1 FAILED startup: no route (gave up after 60.0 s) (through gateway gateway-1)");
		}
	}

}
