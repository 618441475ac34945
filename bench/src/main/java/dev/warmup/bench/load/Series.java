package dev.warmup.bench.load;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * Batches of one way to send, one after the other, the newest last.
 *
 * @param batches the batches so far
 */
record Series(List<Batch> batches) {

	/** How many of the newest batches are held against those before them. */
	static final int WINDOW = 3;

	/**
	 * What counts as falling: a client's gain below a fifth is lost in what it measures.
	 */
	private static final double GAIN = 0.8;

	/** Copies what it is given. */
	Series {
		batches = List.copyOf(batches);
	}

	/**
	 * Whether neither figure falls any more.
	 * @return {@code true} when so, never before there are as many batches before the
	 * window as in it
	 */
	boolean isSettled() {
		return !falls(Batch::p50) && !falls(Batch::p99);
	}

	/**
	 * Whether a figure still falls: the best of the newest batches is better, by more
	 * than a fifth, than the best of all before them. The best, since other work on the
	 * machine makes a batch slower and never faster.
	 * @param figure the figure
	 * @return {@code true} also when there are too few batches to tell
	 */
	boolean falls(Function<Batch, Duration> figure) {
		if (this.batches.size() < 2 * WINDOW) {
			return true;
		}
		int window = this.batches.size() - WINDOW;
		return best(this.batches.subList(window, this.batches.size()), figure) < GAIN
				* best(this.batches.subList(0, window), figure);
	}

	private static long best(List<Batch> batches, Function<Batch, Duration> figure) {
		return batches.stream().map(figure).mapToLong(Duration::toNanos).min().orElseThrow();
	}

	/**
	 * What the client takes now.
	 * @return the worst p50 and the worst p99 of the newest batches; zero without a batch
	 */
	Batch now() {
		List<Batch> newest = this.batches.subList(Math.max(0, this.batches.size() - WINDOW), this.batches.size());
		return new Batch(worst(newest, Batch::p50), worst(newest, Batch::p99));
	}

	private static Duration worst(List<Batch> batches, Function<Batch, Duration> figure) {
		return batches.stream().map(figure).max(Comparator.naturalOrder()).orElse(Duration.ZERO);
	}

	@Override
	public String toString() {
		return String.format(Locale.ROOT, "p50 %.2f ms, p99 %.2f ms", now().p50().toNanos() / 1e6,
				now().p99().toNanos() / 1e6);
	}

}
