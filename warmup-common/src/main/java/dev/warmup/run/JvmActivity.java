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

	private final SteadyCriteria criteria;

	private final Map<String, Deque<Sample>> samples = new LinkedHashMap<>();

	JvmActivity(SteadyCriteria criteria) {
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
		return !this.samples.isEmpty() && this.samples.values()
			.stream()
			.allMatch((readings) -> rate(readings).filter(this::isQuiet).isPresent());
	}

	/**
	 * Names a JVM that is not quiet, such as {@code the compiler of gateway-1 took 80 %
	 * of its processors}; empty when none is known to be busy.
	 */
	Optional<String> busy() {
		return this.samples.entrySet()
			.stream()
			.flatMap((each) -> rate(each.getValue()).filter((rate) -> !isQuiet(rate))
				.map((rate) -> describe(each.getKey(), rate))
				.stream())
			.findFirst();
	}

	private boolean isQuiet(Rate rate) {
		return rate.jit() <= this.criteria.maxJit() && rate.classes() <= this.criteria.maxClasses();
	}

	private String describe(String jvm, Rate rate) {
		return (rate.jit() > this.criteria.maxJit())
				? String.format(Locale.ROOT, "the compiler of %s took %.0f %% of its processors", jvm, rate.jit() * 100)
				: String.format(Locale.ROOT, "%s loaded %.0f classes a second", jvm, rate.classes());
	}

	private static Optional<Rate> rate(Deque<Sample> readings) {
		Sample first = readings.getFirst();
		Sample last = readings.getLast();
		long span = last.nanoTime() - first.nanoTime();
		if (span < LEAST) {
			return Optional.empty();
		}
		double seconds = span / 1e9;
		return Optional.of(new Rate(
				last.reading().jit().minus(first.reading().jit()).toNanos() / 1e9 / seconds
						/ last.reading().processors(),
				(last.reading().classesLoaded() - first.reading().classesLoaded()) / seconds));
	}

	private record Sample(long nanoTime, JvmReading reading) {

	}

	/** Compiling as a share of the processors, and classes a second. */
	private record Rate(double jit, double classes) {

	}

}
