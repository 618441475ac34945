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
 * How busy JVMs still are with getting warm: what they compile, and which classes they
 * load. Looks at the last seconds only, and says nothing before it has seen one second of
 * a JVM. Not thread-safe.
 */
public final class JvmActivity {

	/** As much of the past as counts. */
	static final Duration SPAN = Duration.ofSeconds(2);

	/** What must be seen of a JVM to judge it. */
	static final Duration LEAST = Duration.ofSeconds(1);

	private static final long SPACING = Duration.ofMillis(100).toNanos();

	private final double maxJit;

	private final double maxClasses;

	private final Map<String, Deque<Seen>> seen = new LinkedHashMap<>();

	/**
	 * Starts to watch.
	 * @param maxJit the share of its processors that the compiler of a quiet JVM takes at
	 * most
	 * @param maxClasses how many classes a second a quiet JVM loads at most
	 */
	public JvmActivity(double maxJit, double maxClasses) {
		this.maxJit = maxJit;
		this.maxClasses = maxClasses;
	}

	/**
	 * Takes in what a JVM says of itself.
	 * @param nanoTime when it was said, by a clock that nobody sets
	 * @param reading what it said
	 */
	public void note(long nanoTime, JvmReading reading) {
		Deque<Seen> readings = this.seen.computeIfAbsent(reading.jvm(), (jvm) -> new ArrayDeque<>());
		Seen last = readings.peekLast();
		if (last != null && nanoTime - last.nanoTime() < SPACING) {
			return;
		}
		readings.addLast(new Seen(nanoTime, reading));
		while (spanAfterFirst(readings) >= SPAN.toNanos()) {
			readings.removeFirst();
		}
	}

	/** How long is still seen when the oldest is left out. */
	private static long spanAfterFirst(Deque<Seen> readings) {
		return readings.stream()
			.skip(1)
			.findFirst()
			.map((second) -> readings.getLast().nanoTime() - second.nanoTime())
			.orElse(0L);
	}

	/**
	 * Whether every JVM is known to be quiet.
	 * @return {@code false} also while too little is seen of one, or nothing of any
	 */
	public boolean isQuiet() {
		return !this.seen.isEmpty()
				&& this.seen.values().stream().allMatch((readings) -> rate(readings).filter(this::isQuiet).isPresent());
	}

	/**
	 * Says which JVM is not quiet.
	 * @return such as {@code the compiler of gateway-1 took 80 % of its processors}, or
	 * empty when none is known to be busy
	 */
	public Optional<String> busy() {
		return this.seen.entrySet()
			.stream()
			.flatMap((each) -> rate(each.getValue()).filter((rate) -> !isQuiet(rate))
				.map((rate) -> describe(each.getKey(), rate))
				.stream())
			.findFirst();
	}

	private boolean isQuiet(Rate rate) {
		return rate.jit() <= this.maxJit && rate.classes() <= this.maxClasses;
	}

	private String describe(String jvm, Rate rate) {
		return (rate.jit() > this.maxJit)
				? String.format(Locale.ROOT, "the compiler of %s took %.0f %% of its processors", jvm, rate.jit() * 100)
				: String.format(Locale.ROOT, "%s loaded %.0f classes a second", jvm, rate.classes());
	}

	private static Optional<Rate> rate(Deque<Seen> readings) {
		Seen first = readings.getFirst();
		Seen last = readings.getLast();
		long span = last.nanoTime() - first.nanoTime();
		if (span < LEAST.toNanos()) {
			return Optional.empty();
		}
		double seconds = span / 1e9;
		return Optional.of(new Rate(
				last.reading().jit().minus(first.reading().jit()).toNanos() / 1e9 / seconds
						/ last.reading().processors(),
				(last.reading().classesLoaded() - first.reading().classesLoaded()) / seconds));
	}

	private record Seen(long nanoTime, JvmReading reading) {

	}

	/** Compiling as a share of the processors, and classes a second. */
	private record Rate(double jit, double classes) {

	}

}
