package dev.warmup.run;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import dev.warmup.protocol.JvmReading;

/**
 * How busy JVMs still are with getting warm: what they compile, and how many classes they
 * load. Considers the last two seconds only, and knows nothing of a JVM before its
 * readings span one second. Not thread-safe.
 */
final class JvmActivity {

	/** The readings that count. */
	private static final long SPAN = Duration.ofSeconds(2).toNanos();

	/** What the readings of a JVM must span. */
	private static final long LEAST = Duration.ofSeconds(1).toNanos();

	private static final long SPACING = Duration.ofMillis(100).toNanos();

	private final RunSettings.SteadyCriteria criteria;

	private final Map<String, Deque<Sample>> samples = new LinkedHashMap<>();

	JvmActivity(RunSettings.SteadyCriteria criteria) {
		this.criteria = criteria;
	}

	/** Notes a reading and when it arrived, by a monotonic clock. */
	void note(long nanoTime, JvmReading reading) {
		Deque<Sample> readings = this.samples.computeIfAbsent(reading.jvm(), (jvm) -> new ArrayDeque<>());
		Sample last = readings.peekLast();
		if (last != null && nanoTime - last.nanoTime() < SPACING) {
			return;
		}
		readings.addLast(new Sample(nanoTime, reading));
		Sample oldest = readings.removeFirst();
		while (!readings.isEmpty() && nanoTime - readings.getFirst().nanoTime() >= SPAN) {
			oldest = readings.removeFirst();
		}
		readings.addFirst(oldest);
	}

	/** Whether every JVM is known to be quiet; {@code false} without a JVM. */
	boolean isQuiet() {
		return !this.samples.isEmpty() && this.samples.values().stream().allMatch((readings) -> span(readings) >= LEAST)
				&& busy().isEmpty();
	}

	/**
	 * Names a JVM that is not quiet, such as {@code the compiler of gateway-1 took 80 %
	 * of its processors}; empty when none is known to be busy.
	 */
	Optional<String> busy() {
		return this.samples.values()
			.stream()
			.filter((readings) -> span(readings) >= LEAST)
			.flatMap((readings) -> busy(readings).stream())
			.findFirst();
	}

	private Optional<String> busy(Deque<Sample> readings) {
		JvmReading first = readings.getFirst().reading();
		JvmReading last = readings.getLast().reading();
		double seconds = span(readings) / 1e9;
		double jit = last.jit().minus(first.jit()).toNanos() / 1e9 / seconds / last.processors();
		if (jit > this.criteria.maxJit()) {
			return Optional.of(String.format(Locale.ROOT, "the compiler of %s took %.0f %% of its processors",
					last.jvm(), jit * 100));
		}
		double classes = (last.classesLoaded() - first.classesLoaded()) / seconds;
		return (classes > this.criteria.maxClasses())
				? Optional.of(String.format(Locale.ROOT, "%s loaded %.0f classes a second", last.jvm(), classes))
				: Optional.empty();
	}

	private static long span(Deque<Sample> readings) {
		return readings.getLast().nanoTime() - readings.getFirst().nanoTime();
	}

	private record Sample(long nanoTime, JvmReading reading) {

	}

}
