package dev.warmup.run;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import reactor.core.scheduler.Schedulers;

/**
 * How long the threads of this JVM wait for a processor, compared with how long they run:
 * what other processes of a busy machine, or other instances that are warmed at the same
 * time, add to every latency. Latencies that have stopped falling under contention are as
 * low as the machine allows for now, and not as low as they get.
 * <p>
 * Considers the last two seconds only. Linux counts both times for each thread
 * ({@code /proc/<pid>/task/<tid>/schedstat}, "Scheduler Statistics" in the kernel's
 * documentation); where it does not, no contention is known. Thread-safe.
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

	private long read = Long.MIN_VALUE;

	private boolean lasting;

	/** Threads may wait {@code max} times as long as they run. */
	Contention(double max) {
		this.max = max;
	}

	/**
	 * Reads the times in the background, where that may block, at most twice a second.
	 * @param nanoTime the time now, by a monotonic clock
	 */
	void read(long nanoTime) {
		synchronized (this) {
			if (this.read != Long.MIN_VALUE && nanoTime - this.read < SPACING) {
				return;
			}
			this.read = nanoTime;
		}
		Schedulers.boundedElastic().schedule(() -> record(nanoTime, times()));
	}

	/** Records the times of each thread, by its id; empty where they cannot be read. */
	synchronized void record(long nanoTime, Map<String, Times> threads) {
		if (threads.isEmpty()) {
			return;
		}
		this.samples.addLast(new Sample(nanoTime, threads));
		Sample oldest = this.samples.removeFirst();
		while (!this.samples.isEmpty() && nanoTime - this.samples.getFirst().nanoTime() >= SPAN) {
			oldest = this.samples.removeFirst();
		}
		this.samples.addFirst(oldest);
	}

	/**
	 * Describes contention caused by others; users that arrive later do not end it.
	 * @param undisturbed whether only the run uses the processors in this JVM, so that
	 * users do not cause it
	 */
	synchronized Optional<String> lasting(boolean undisturbed) {
		Optional<String> found = found();
		this.lasting = found.isPresent() && (undisturbed || this.lasting);
		return this.lasting ? found : Optional.empty();
	}

	/** Empty where there is little, or none is known. */
	private Optional<String> found() {
		if (this.samples.size() < 2) {
			return Optional.empty();
		}
		Sample first = this.samples.getFirst();
		Sample last = this.samples.getLast();
		long passed = last.nanoTime() - first.nanoTime();
		Times times = last.since(first);
		return (passed < LEAST || times.waited() < NOISE * passed || times.waited() <= this.max * times.ran())
				? Optional.empty()
				: Optional.of(String.format(Locale.ROOT,
						"the machine is busy or its CPU limit is low: threads waited %.1f times as long as they ran",
						(double) times.waited() / Math.max(1, times.ran())));
	}

	private static Map<String, Times> times() {
		Map<String, Times> times = new HashMap<>();
		try (DirectoryStream<Path> threads = Files.newDirectoryStream(THREADS)) {
			for (Path thread : threads) {
				read(thread).ifPresent((read) -> times.put(thread.getFileName().toString(), read));
			}
		}
		catch (IOException | DirectoryIteratorException ex) {
			return Map.of(); // not Linux
		}
		return times;
	}

	/** Empty for a thread that has ended, and where there are no such statistics. */
	private static Optional<Times> read(Path thread) {
		try {
			String[] times = Files.readString(thread.resolve("schedstat")).split(" ", 3);
			return Optional.of(new Times(Long.parseLong(times[0]), Long.parseLong(times[1])));
		}
		catch (IOException | NumberFormatException | ArrayIndexOutOfBoundsException ex) {
			return Optional.empty();
		}
	}

	/**
	 * What a thread has done since its start, or several together, in nanoseconds.
	 *
	 * @param ran how long it ran
	 * @param waited how long it was ready to run, and did not
	 */
	record Times(long ran, long waited) {

	}

	/** The times of each thread by its id. */
	private record Sample(long nanoTime, Map<String, Times> threads) {

		/** Of threads that have ended meanwhile, nothing is known. */
		Times since(Sample earlier) {
			long ran = 0;
			long waited = 0;
			for (Map.Entry<String, Times> thread : this.threads.entrySet()) {
				Times now = thread.getValue();
				Times before = earlier.threads.getOrDefault(thread.getKey(), new Times(0, 0));
				ran += now.ran() - before.ran();
				waited += now.waited() - before.waited();
			}
			return new Times(ran, waited);
		}

	}

}
