package dev.warmup.bench;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Random;

/** How fast the machine is at a moment. */
final class Machine {

	private final int[] numbers = new Random(1).ints(2_000_000).toArray();

	Machine() {
		speed(); // until it is compiled
		speed();
	}

	/** The CPU time of fixed work in ms. Blocks for about a second. */
	double speed() {
		long least = Long.MAX_VALUE;
		for (int i = 0; i < 5; i++) {
			int[] copy = this.numbers.clone();
			long begin = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
			Arrays.sort(copy);
			least = Math.min(least, ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - begin);
		}
		return least / 1e6;
	}

}
