package dev.warmup.insight;

import java.time.Duration;
import java.util.List;

/**
 * A pool that nobody uses, beside the application's own. As a run looks at all pools
 * together, it tells when the others were looked at, so that a connection can be held
 * until then.
 */
final class Looks implements PoolSource, PoolGauge {

	private static final Duration LIMIT = Duration.ofSeconds(60);

	private long count;

	/**
	 * Waits for a look from its beginning to its end. The third from now proves that: the
	 * first may have begun before, and the second is over by then.
	 */
	synchronized void await() {
		long enough = this.count + 3;
		long end = System.nanoTime() + LIMIT.toNanos();
		while (this.count < enough) {
			long left = Duration.ofNanos(end - System.nanoTime()).toMillis();
			if (left <= 0) {
				throw new IllegalStateException("Nobody looks at the pools");
			}
			try {
				wait(left);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw new IllegalStateException(ex);
			}
		}
	}

	@Override
	public List<PoolGauge> pools() {
		return List.of(this);
	}

	@Override
	public synchronized int active() {
		this.count++;
		notifyAll();
		return 0;
	}

	@Override
	public String name() {
		return "looks";
	}

	@Override
	public int pending() {
		return 0;
	}

	@Override
	public int open() {
		return 1;
	}

	@Override
	public int max() {
		return 1;
	}

	@Override
	public String minimum() {
		return "none";
	}

}
