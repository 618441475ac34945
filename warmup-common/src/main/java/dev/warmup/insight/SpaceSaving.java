package dev.warmup.insight;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds what is most frequent in a stream with a fixed number of counters: the algorithm
 * Space-Saving of Metwally, Agrawal and El Abbadi, "Efficient Computation of Frequent and
 * Top-k Elements in Data Streams", ICDT 2005. What has no counter takes over the one that
 * counts least, with its count, which from then on may be too high by that much.
 * <p>
 * With <i>n</i> items in <i>k</i> counters, each item that came more than <i>n / k</i>
 * times has a counter, and no count is too high by more than that. Finding the least is a
 * pass over all counters, in place of the paper's list of buckets: with a few hundred
 * that is well below a microsecond. Not thread-safe.
 *
 * @param <T> the type of the items, with {@code equals}
 */
final class SpaceSaving<T> {

	private final int capacity;

	private final Map<T, Counter<T>> counters;

	private final List<Counter<T>> all = new ArrayList<>();

	/**
	 * Creates a sketch that has seen nothing.
	 * @param capacity how many counters there are, at least 1
	 */
	SpaceSaving(int capacity) {
		if (capacity < 1) {
			throw new IllegalArgumentException("At least one counter is needed: " + capacity);
		}
		this.capacity = capacity;
		this.counters = new HashMap<>(capacity * 2);
	}

	/** Counts an item. */
	void add(T item) {
		Counter<T> known = this.counters.get(item);
		if (known != null) {
			known.count++;
		}
		else if (this.all.size() < this.capacity) {
			Counter<T> fresh = new Counter<>(item);
			this.all.add(fresh);
			this.counters.put(item, fresh);
		}
		else {
			Counter<T> least = least();
			this.counters.remove(least.item);
			least.takenOverBy(item);
			this.counters.put(item, least);
		}
	}

	private Counter<T> least() {
		Counter<T> least = this.all.get(0);
		for (Counter<T> each : this.all) {
			if (each.count < least.count) {
				least = each;
			}
		}
		return least;
	}

	/**
	 * What has a counter.
	 * @return the counts, the highest first
	 */
	List<Counted<T>> counted() {
		return this.all.stream()
			.map((counter) -> new Counted<>(counter.item, counter.count, counter.error))
			.sorted(Comparator.<Counted<T>>comparingLong(Counted::count).reversed())
			.toList();
	}

	/**
	 * How often an item came.
	 *
	 * @param item the item
	 * @param count never less than the truth
	 * @param error by how much {@code count} may exceed it
	 */
	record Counted<T>(T item, long count, long error) {

		/** Never more than the truth. */
		long atLeast() {
			return this.count - this.error;
		}

	}

	private static final class Counter<T> {

		private T item;

		private long count = 1;

		private long error;

		Counter(T item) {
			this.item = item;
		}

		void takenOverBy(T successor) {
			this.item = successor;
			this.error = this.count;
			this.count++;
		}

	}

}
