package dev.warmup.insight;

/** A pool of 10 that a test turns by hand. */
final class HandGauge implements PoolGauge {

	volatile int active;

	volatile int pending;

	volatile int open = 10;

	@Override
	public String name() {
		return "main";
	}

	@Override
	public int active() {
		return this.active;
	}

	@Override
	public int pending() {
		return this.pending;
	}

	@Override
	public int open() {
		return this.open;
	}

	@Override
	public int max() {
		return 10;
	}

	@Override
	public String minimum() {
		return "atLeast";
	}

}
