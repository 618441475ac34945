package dev.warmup.loadbalancer;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Values by name, each kept for a limited time. Holds at most 1000: beyond that the
 * oldest is dropped. Thread-safe.
 *
 * @param <T> the type of the values
 */
final class Recent<T> {

	private static final int MAX_ENTRIES = 1000;

	private final Clock clock;

	private final Duration kept;

	/** The oldest first. */
	private final Map<String, Entry<T>> entries = new LinkedHashMap<>();

	/** Users' requests check it, without a lock. */
	private volatile boolean empty = true;

	Recent(Clock clock, Duration kept) {
		this.clock = clock;
		this.kept = kept;
	}

	/** Keeps a value from now on, in place of any by that name. */
	synchronized void put(String name, T value) {
		dropExpired();
		this.entries.remove(name);
		this.entries.put(name, new Entry<>(value, this.clock.instant().plus(this.kept)));
		if (this.entries.size() > MAX_ENTRIES) {
			this.entries.remove(this.entries.keySet().iterator().next());
		}
		this.empty = false;
	}

	/** Removes a value; returns whether there was one. */
	synchronized boolean remove(String name) {
		boolean removed = this.entries.remove(name) != null;
		this.empty = this.entries.isEmpty();
		return removed;
	}

	/** Removes a value, unless another has taken its place. */
	synchronized void remove(String name, T value) {
		Entry<T> entry = this.entries.get(name);
		if (entry != null && entry.value() == value) {
			remove(name);
		}
	}

	boolean isEmpty() {
		return this.empty;
	}

	synchronized Optional<T> find(String name) {
		return Optional.ofNullable(this.entries.get(name))
			.filter((entry) -> !entry.until().isBefore(this.clock.instant()))
			.map(Entry::value);
	}

	/** The values by name, the oldest first; a copy. */
	synchronized Map<String, T> entries() {
		dropExpired();
		Map<String, T> current = new LinkedHashMap<>();
		this.entries.forEach((name, entry) -> current.put(name, entry.value()));
		return current;
	}

	private void dropExpired() {
		Instant now = this.clock.instant();
		this.entries.values().removeIf((entry) -> entry.until().isBefore(now));
		this.empty = this.entries.isEmpty();
	}

	private record Entry<T>(T value, Instant until) {

	}

}
