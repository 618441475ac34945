package dev.warmup.bench.process;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class PerfCountersTests {

	@ParameterizedTest
	@ValueSource(ints = { 0, 1 })
	void wholeNumbersAreReadInTheOrderOfBytesThatTheFileNames(int order) {
		ByteBuffer file = file(order, 2);
		entry(file, 'J', "java.ci.totalTime", 3_000_000_000L);
		entry(file, 'J', "sun.os.hrt.frequency", 1_000_000_000L);
		assertThat(PerfCounters.read(file)).hasValueSatisfying((counters) -> assertThat(counters.values())
			.isEqualTo(Map.of("java.ci.totalTime", 3_000_000_000L, "sun.os.hrt.frequency", 1_000_000_000L)));
	}

	@Test
	void otherThanNumbersIsPassedOver() {
		ByteBuffer file = file(1, 2);
		entry(file, 'B', "sun.ci.lastMethod", 0x2A2A2A2A2A2A2A2AL);
		entry(file, 'J', "sun.ci.threads", 2);
		assertThat(PerfCounters.read(file))
			.hasValueSatisfying((counters) -> assertThat(counters.values()).containsOnlyKeys("sun.ci.threads"));
	}

	@Test
	void aFileOfAnotherLayoutHasNoCounters() {
		assertThat(PerfCounters.read(ByteBuffer.allocate(0))).isEmpty();
		assertThat(PerfCounters.read(ByteBuffer.allocate(64))).isEmpty();
		assertThat(PerfCounters.read(file(1, 0).put(5, (byte) 3))).isEmpty();
	}

	@Test
	void aFileThatPromisesMoreThanItHoldsHasNoCounters() {
		ByteBuffer file = file(1, 100);
		entry(file, 'J', "sun.ci.threads", 2);
		assertThat(PerfCounters.read(file)).isEmpty();
	}

	@Test
	void compileTimeIsTicksByFrequency() {
		assertThat(new PerfCounters(Map.of("java.ci.totalTime", 500L, "sun.os.hrt.frequency", 1000L)).compileTime())
			.hasValue(Duration.ofMillis(500));
	}

	@Test
	void compileTimeIsNotKnownWithoutItsFrequency() {
		assertThat(new PerfCounters(Map.of("java.ci.totalTime", 500L)).compileTime()).isEmpty();
		assertThat(new PerfCounters(Map.of("java.ci.totalTime", 500L, "sun.os.hrt.frequency", 0L)).compileTime())
			.isEmpty();
		assertThat(new PerfCounters(Map.of("sun.os.hrt.frequency", 1000L)).compileTime()).isEmpty();
	}

	private static ByteBuffer file(int order, int entries) {
		ByteBuffer file = ByteBuffer.allocate(256);
		file.putInt(0, 0xcafec0c0).put(4, (byte) order).put(5, (byte) 2);
		file.order((order == 1) ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
		return file.putInt(24, 32).putInt(28, entries).position(32);
	}

	private static void entry(ByteBuffer file, char type, String name, long value) {
		int from = file.position();
		file.putInt(64).putInt(20).putInt((type == 'J') ? 0 : 8);
		file.put((byte) type).put(new byte[3]).putInt(56);
		file.put(name.getBytes(StandardCharsets.UTF_8));
		file.putLong(from + 56, value).position(from + 64);
	}

}
