package dev.warmup.run;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Optional;

/**
 * How long the threads of this JVM wait for a processor, compared with how long they run:
 * what other processes of a busy machine, or other instances that are warmed at the same
 * time, add to every latency. Latencies that have stopped falling under contention are as
 * low as the machine allows for now, and not as low as they get.
 * <p>
 * Considers the last two seconds only. Linux counts both times for each thread
 * ({@code /proc/<pid>/task/<tid>/schedstat}, "Scheduler Statistics" in the kernel's
 * documentation); where it does not, no contention is known. Not thread-safe.
 */
final class Contention {

	private static final long SPAN = Duration.ofSeconds(2).toNanos();

	private static final long LEAST = Duration.ofSeconds(1).toNanos();

	private static final long SPACING = Duration.ofMillis(500).toNanos();

	/** Below this share of the time that passed, waits are the scheduler's noise. */
	private static final double NOISE = 0.05;

	private static final Path THREADS = Path.of("/proc/self/task");

	private final double max;

	private final Deque<Sample> samples = new ArrayDeque<>();

	/**
	 * Starts with nothing known.
	 * @param max how long threads may wait in proportion to how long they run
	 */
	Contention(double max) {
		this.max = max;
	}

	/** Reads the times as of now, by a monotonic clock; at most twice a second. */
	void read(long nanoTime) {
		Sample last = this.samples.peekLast();
		if (last == null || nanoTime - last.nanoTime() >= SPACING) {
			times().ifPresent((times) -> note(nanoTime, times));
		}
	}

	void note(long nanoTime, Times times) {
		this.samples.addLast(new Sample(nanoTime, times));
		Sample oldest = this.samples.removeFirst();
		while (!this.samples.isEmpty() && nanoTime - this.samples.getFirst().nanoTime() >= SPAN) {
			oldest = this.samples.removeFirst();
		}
		this.samples.addFirst(oldest);
	}

	/** Describes the contention; empty where there is little, or none is known. */
	Optional<String> found() {
		if (this.samples.size() < 2) {
			return Optional.empty();
		}
		Sample first = this.samples.getFirst();
		Sample last = this.samples.getLast();
		long passed = last.nanoTime() - first.nanoTime();
		long waited = last.times().waited() - first.times().waited();
		long ran = Math.max(1, last.times().ran() - first.times().ran());
		return (passed < LEAST || waited < NOISE * passed || waited <= this.max * ran) ? Optional.empty()
				: Optional.of(String.format(Locale.ROOT,
						"the machine is busy: threads waited for a processor %.1f times as long as they ran",
						(double) waited / ran));
	}

	private static Optional<Times> times() {
		long ran = 0;
		long waited = 0;
		try (DirectoryStream<Path> threads = Files.newDirectoryStream(THREADS)) {
			for (Path thread : threads) {
				String[] times = schedstat(thread).split(" ", 3);
				if (times.length == 3) {
					ran += Long.parseLong(times[0]);
					waited += Long.parseLong(times[1]);
				}
			}
		}
		catch (IOException | DirectoryIteratorException | NumberFormatException ex) {
			return Optional.empty(); // not Linux, or without these statistics
		}
		return Optional.of(new Times(ran, waited));
	}

	/** Empty for a thread that has ended. */
	private static String schedstat(Path thread) {
		try {
			return Files.readString(thread.resolve("schedstat"));
		}
		catch (IOException ex) {
			return "";
		}
	}

	/**
	 * What the threads of this JVM have done since their starts, in nanoseconds.
	 *
	 * @param ran how long they ran
	 * @param waited how long they were ready to run, and did not
	 */
	record Times(long ran, long waited) {

	}

	private record Sample(long nanoTime, Times times) {

	}

}
