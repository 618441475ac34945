package dev.warmup.insight;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Optional;

import dev.warmup.Catalogs;
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
		assertThat(findings(122)).containsExactly("122 methods still wait for the compiler.");
		assertThat(findings(11)).hasSize(1);
		assertThat(findings(10)).isEmpty();
		assertThat(findings(null)).as("a JVM without that command").isEmpty();
	}

	@Test
	void hotSpotAnswers() {
		assumeThat(ManagementFactory.getRuntimeMXBean().getVmName()).containsAnyOf("OpenJDK", "HotSpot");
		assertThat(CompilerObserver.waiting()).hasValueSatisfying((methods) -> assertThat(methods).isNotNegative());
	}

	@Test
	void lineIsAMethodUpToABlankLine() {
		assertThat(CompilerObserver.count("""
				Current compiles:
				C2 CompilerThread0    8123       4       java.util.HashMap::resize (356 bytes)

				C1 compile queue:
				   8124       3       java.lang.String::trim (36 bytes)

				C2 compile queue:
				   8120       4       java.lang.String::hashCode (60 bytes)
				   8121   !   4       java.util.concurrent.ConcurrentHashMap::putVal (432 bytes)

				""")).hasValue(3);
		assertThat(CompilerObserver.count("C1 compile queue:\nEmpty\n\nC2 compile queue:\nEmpty\n\n")).hasValue(0);
		assertThat(CompilerObserver.count("C1 compile queue:\nEmpty\n")).hasValue(0);
		assertThat(CompilerObserver.count("no such command")).isEmpty();
	}

	private static List<String> findings(@Nullable Integer waiting) {
		RunRecorder recorder = RunInternals.recorder(Catalogs.ofRequests("GET /"), "shop");
		RunListener.Observation observation = new CompilerObserver(() -> Optional.ofNullable(waiting)).begin("r-1",
				recorder);
		observation.ended();
		observation.close();
		return recorder.finished().findings();
	}

}
