package dev.warmup.bench;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Random;

/** How fast the machine is at a moment. */
final class Machine {

	private static final int[] NUMBERS = new Random(1).ints(2_000_000).toArray();

	private Machine() {
	}

	/** The CPU time of fixed work in ms, once compiled. Blocks for about a second. */
	static double speed() {
		long least = Long.MAX_VALUE;
		for (int i = 0; i < 7; i++) {
			int[] copy = NUMBERS.clone();
			long begin = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
			Arrays.sort(copy);
			least = Math.min(least, ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - begin);
		}
		return least / 1e6;
	}

}
