package dev.warmup.pool;

/** A pool of 10 that a test turns by hand. */
final class HandGauge implements PoolGauge {

	volatile int active;

	volatile int pending;

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
	public int max() {
		return 10;
	}

}
