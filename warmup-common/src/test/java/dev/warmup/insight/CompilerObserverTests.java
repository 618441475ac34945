package dev.warmup.insight;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Optional;

import dev.warmup.Catalogs;
import dev.warmup.insight.CompilerObserver.Queue;
import dev.warmup.run.RunInternals;
import dev.warmup.run.RunListener;
import dev.warmup.run.RunRecorder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

class CompilerObserverTests {

	@Test
	void moreThanAHandfulOfMethodsLeftToCompileIsAFinding() {
		assertThat(findings(new Queue(3, 119)))
			.containsExactly("122 methods still wait for the compiler: 3 for C1, 119 for C2.");
		assertThat(findings(new Queue(5, 6))).hasSize(1);
		assertThat(findings(new Queue(5, 5))).isEmpty();
		assertThat(findings(null)).as("a JVM without that command").isEmpty();
	}

	@Test
	void hotSpotAnswers() {
		assumeThat(ManagementFactory.getRuntimeMXBean().getVmName()).containsAnyOf("OpenJDK", "HotSpot");
		assertThat(CompilerObserver.queue())
			.hasValueSatisfying((queue) -> assertThat(queue.c1() + queue.c2()).isNotNegative());
	}

	@Test
	void lineIsAMethodUpToABlankLine() {
		assertThat(Queue.parse("""
				Current compiles:
				C2 CompilerThread0    8123       4       java.util.HashMap::resize (356 bytes)

				C1 compile queue:
				   8124       3       java.lang.String::trim (36 bytes)

				C2 compile queue:
				   8120       4       java.lang.String::hashCode (60 bytes)
				   8121   !   4       java.util.concurrent.ConcurrentHashMap::putVal (432 bytes)

				""")).hasValue(new Queue(1, 2));
		assertThat(Queue.parse("C1 compile queue:\nEmpty\n\nC2 compile queue:\nEmpty\n\n")).hasValue(new Queue(0, 0));
		assertThat(Queue.parse("C1 compile queue:\nEmpty\n")).hasValue(new Queue(0, 0));
		assertThat(Queue.parse("no such command")).isEmpty();
	}

	private static List<String> findings(@Nullable Queue queue) {
		RunRecorder recorder = RunInternals.recorder(Catalogs.ofRequests("GET /"), "shop");
		RunListener.Observation observation = new CompilerObserver(() -> Optional.ofNullable(queue)).begin("r-1",
				recorder);
		observation.ended();
		observation.close();
		return recorder.finished().findings();
	}

}
