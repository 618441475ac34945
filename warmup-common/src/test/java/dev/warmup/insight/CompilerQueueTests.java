package dev.warmup.insight;

import java.lang.management.ManagementFactory;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

class CompilerQueueTests {

	@Test
	void thisJvmTellsIfItIsHotSpot() {
		assumeThat(ManagementFactory.getRuntimeMXBean().getVmName()).containsAnyOf("OpenJDK", "HotSpot");
		assertThat(CompilerQueue.now()).hasValueSatisfying(
				(queue) -> assertThat(queue.waiting()).isNotNegative().isEqualTo(queue.c1() + queue.c2()));
	}

	@Test
	void aLineIsAMethodUpToABlankLine() {
		assertThat(CompilerQueue.parse("""
				Current compiles:
				C2 CompilerThread0    8123       4       java.util.HashMap::resize (356 bytes)

				C1 compile queue:
				   8124       3       java.lang.String::trim (36 bytes)

				C2 compile queue:
				   8120       4       java.lang.String::hashCode (60 bytes)
				   8121   !   4       java.util.concurrent.ConcurrentHashMap::putVal (432 bytes)

				""")).hasValue(new CompilerQueue(1, 2));
	}

	@Test
	void anEmptyQueueIsSaidToBe() {
		assertThat(CompilerQueue.parse("""
				Current compiles:

				C1 compile queue:
				Empty

				C2 compile queue:
				Empty

				""")).hasValue(new CompilerQueue(0, 0));
	}

	@Test
	void oneCompilerWillDo() {
		assertThat(CompilerQueue.parse("C1 compile queue:\nEmpty\n")).hasValue(new CompilerQueue(0, 0));
	}

	@Test
	void anAnswerOfAnotherShapeTellsNothing() {
		assertThat(CompilerQueue.parse("")).isEmpty();
		assertThat(CompilerQueue.parse("no such command")).isEqualTo(Optional.empty());
	}

}
