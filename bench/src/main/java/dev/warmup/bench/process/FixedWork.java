package dev.warmup.bench.process;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;

/**
 * A piece of work that is always the same, so that its CPU time tells how fast the
 * machine is at the moment: shared ones change by half and more. Not thread-safe.
 */
public final class FixedWork {

	private static final int NUMBERS = 2_000_000;

	private static final int UNTIL_COMPILED = 10;

	private static final int TRIES = 5;

	private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

	private final int[] numbers = new Random(1).ints(NUMBERS).toArray();

	/** Prepares it, which takes some tenths of a second. */
	public FixedWork() {
		for (int i = 0; i < UNTIL_COMPILED; i++) {
			once();
		}
	}

	/**
	 * Does it five times. Blocks for about a tenth of a second.
	 * @return the least CPU time of the five, free of what the JVM does now and then
	 */
	public Duration cpu() {
		long least = Long.MAX_VALUE;
		for (int i = 0; i < TRIES; i++) {
			least = Math.min(least, once());
		}
		return Duration.ofNanos(least);
	}

	private long once() {
		int[] copy = this.numbers.clone();
		long begin = this.threads.getCurrentThreadCpuTime();
		Arrays.sort(copy);
		return this.threads.getCurrentThreadCpuTime() - begin;
	}

}
