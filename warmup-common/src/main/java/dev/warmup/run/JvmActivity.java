package dev.warmup.run;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import dev.warmup.protocol.JvmSnapshot;

/**
 * How busy JVMs still are with getting warm: what they compile, and how many classes they
 * load. Considers the last two seconds only, and knows nothing of a JVM before its
 * snapshots span one second. Not thread-safe.
 */
final class JvmActivity {

	/** The snapshots that count. */
	private static final long SPAN = Duration.ofSeconds(2).toNanos();

	/** What the snapshots of a JVM must span. */
	private static final long LEAST = Duration.ofSeconds(1).toNanos();

	/** Another JVM without snapshots for so long is taken to have gone. */
	private static final long GONE = Duration.ofSeconds(30).toNanos();

	private static final long SPACING = Duration.ofMillis(100).toNanos();

	private final RunSettings.SteadyCriteria criteria;

	private final String self;

	private final Map<String, Deque<Sample>> samples = new LinkedHashMap<>();

	/** {@code self} names this JVM, whose snapshots may be far apart. */
	JvmActivity(RunSettings.SteadyCriteria criteria, String self) {
		this.criteria = criteria;
		this.self = self;
	}

	/** Records a snapshot and when it arrived, by a monotonic clock. */
	void record(long nanoTime, JvmSnapshot snapshot) {
		this.samples.entrySet()
			.removeIf((each) -> !each.getKey().equals(this.self)
					&& nanoTime - each.getValue().getLast().nanoTime() > GONE);
		Deque<Sample> snapshots = this.samples.computeIfAbsent(snapshot.jvm(), (jvm) -> new ArrayDeque<>());
		Sample last = snapshots.peekLast();
		if (last != null && nanoTime - last.nanoTime() < SPACING) {
			return;
		}
		snapshots.addLast(new Sample(nanoTime, snapshot));
		Sample oldest = snapshots.removeFirst();
		while (!snapshots.isEmpty() && nanoTime - snapshots.getFirst().nanoTime() >= SPAN) {
			oldest = snapshots.removeFirst();
		}
		snapshots.addFirst(oldest);
	}

	/** Whether every JVM is known to be quiet; {@code false} without a JVM. */
	boolean isQuiet() {
		return !this.samples.isEmpty() && this.samples.values().stream().allMatch((each) -> span(each) >= LEAST)
				&& busy().isEmpty();
	}

	/**
	 * Names a JVM that is not quiet, such as {@code the compiler of gateway-1 took 80 %
	 * of its processors}; empty when none is known to be busy.
	 */
	Optional<String> busy() {
		return this.samples.values()
			.stream()
			.filter((snapshots) -> span(snapshots) >= LEAST)
			.flatMap((snapshots) -> busy(snapshots).stream())
			.findFirst();
	}

	private Optional<String> busy(Deque<Sample> snapshots) {
		JvmSnapshot first = snapshots.getFirst().snapshot();
		JvmSnapshot last = snapshots.getLast().snapshot();
		double seconds = span(snapshots) / 1e9;
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

	private static long span(Deque<Sample> snapshots) {
		return snapshots.getLast().nanoTime() - snapshots.getFirst().nanoTime();
	}

	private record Sample(long nanoTime, JvmSnapshot snapshot) {

	}

}
