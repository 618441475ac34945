package dev.warmup.protocol;

import java.time.Duration;

/** The last 50 to 100 latencies, or all where there are fewer. Not thread-safe. */
public final class RecentLatencies {

	private static final int BATCH = 50;

	private Latencies previous = new Latencies();

	private Latencies current = new Latencies();

	public void add(Duration latency) {
		this.current.add(latency);
		if (this.current.count() == BATCH) {
			this.previous = this.current;
			this.current = new Latencies();
		}
	}

	/** A copy of them. */
	public Latencies get() {
		Latencies recent = new Latencies();
		recent.add(this.previous);
		recent.add(this.current);
		return recent;
	}

}
