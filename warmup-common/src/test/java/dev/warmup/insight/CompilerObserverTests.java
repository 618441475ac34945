package dev.warmup.insight;

import java.time.Clock;
import java.util.List;
import java.util.Optional;

import dev.warmup.Steadily;
import dev.warmup.protocol.Trigger;
import dev.warmup.run.Plan;
import dev.warmup.run.RunListener;
import dev.warmup.run.RunRecorder;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CompilerObserverTests {

	@Test
	void whatIsLeftToCompileIsFound() {
		assertThat(findings(Optional.of(new CompilerQueue(3, 119))))
			.containsExactly("122 methods still wait for the compiler: 3 for C1, 119 for C2.");
	}

	@Test
	void aHandfulIsNotWorthAWord() {
		assertThat(findings(Optional.of(new CompilerQueue(5, 5)))).isEmpty();
		assertThat(findings(Optional.of(new CompilerQueue(5, 6)))).hasSize(1);
	}

	@Test
	void nothingIsSaidWhereTheJvmDoesNotTell() {
		assertThat(findings(Optional.empty())).isEmpty();
	}

	private static List<String> findings(Optional<CompilerQueue> queue) {
		RunRecorder recorder = new RunRecorder("r-1", Trigger.STARTUP, "gw", Plan.EMPTY, Steadily.AT_ONCE,
				Clock.systemUTC());
		RunListener.Observation sight = new CompilerObserver(() -> queue).begin("r-1", recorder);
		sight.ended();
		sight.close();
		return recorder.finished().findings();
	}

}
