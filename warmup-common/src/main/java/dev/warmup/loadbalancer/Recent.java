package dev.warmup.loadbalancer;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;

/**
 * Values by name, each kept for a limited time. Holds at most 1000: beyond that the
 * oldest is dropped. Thread-safe; users' requests read it without a lock.
 *
 * @param <T> the type of the values
 */
final class Recent<T> {

	private static final int MAX_ENTRIES = 1000;

	private final Clock clock;

	private final Duration kept;

	/** The oldest first; replaced as a whole. */
	private volatile Map<String, Entry<T>> entries = Map.of();

	Recent(Clock clock, Duration kept) {
		this.clock = clock;
		this.kept = kept;
	}

	/** Keeps a value from now on, in place of any by that name. */
	synchronized void put(String name, T value) {
		Map<String, Entry<T>> next = unexpired();
		next.remove(name);
		next.put(name, new Entry<>(value, this.clock.instant().plus(this.kept)));
		if (next.size() > MAX_ENTRIES) {
			next.remove(next.keySet().iterator().next());
		}
		this.entries = next;
	}

	/** Removes a value; returns whether there was one. */
	synchronized boolean remove(String name) {
		Map<String, Entry<T>> next = unexpired();
		boolean removed = next.remove(name) != null;
		this.entries = next;
		return removed;
	}

	/** Removes a value, unless another has taken its place. */
	synchronized void remove(String name, T value) {
		if (find(name).filter((current) -> current == value).isPresent()) {
			remove(name);
		}
	}

	/** Removes the values that match; the condition is checked without a lock. */
	void removeIf(BiPredicate<String, T> condition) {
		entries().forEach((name, value) -> {
			if (condition.test(name, value)) {
				remove(name, value);
			}
		});
	}

	boolean isEmpty() {
		return this.entries.isEmpty();
	}

	Optional<T> find(String name) {
		return Optional.ofNullable(this.entries.get(name))
			.filter((entry) -> !entry.until().isBefore(this.clock.instant()))
			.map(Entry::value);
	}

	/** The values by name, the oldest first; a copy. */
	synchronized Map<String, T> entries() {
		this.entries = unexpired();
		Map<String, T> current = new LinkedHashMap<>();
		this.entries.forEach((name, entry) -> current.put(name, entry.value()));
		return current;
	}

	private Map<String, Entry<T>> unexpired() {
		Map<String, Entry<T>> copy = new LinkedHashMap<>(this.entries);
		Instant now = this.clock.instant();
		copy.values().removeIf((entry) -> entry.until().isBefore(now));
		return copy;
	}

	private record Entry<T>(T value, Instant until) {

	}

}
