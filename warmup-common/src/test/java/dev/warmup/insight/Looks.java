package dev.warmup.insight;

import java.time.Duration;
import java.util.List;

import dev.warmup.insight.PoolSource.Pool;

/**
 * A pool that is never used, beside the application's own. As a run looks at all pools
 * together, it tells when the others were looked at, so that a connection can be held
 * until then.
 */
final class Looks implements PoolSource {

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
				throw new IllegalStateException("The pools are not read");
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
	public List<Pool> pools() {
		return List.of(new Pool("looks", this::look, () -> 0, () -> 1, 1, "none"));
	}

	private synchronized int look() {
		this.count++;
		notifyAll();
		return 0;
	}

}
