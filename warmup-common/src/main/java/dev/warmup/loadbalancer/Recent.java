package dev.warmup.loadbalancer;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Values by name, each kept for a while. Holds at most 1000: beyond that the oldest is
 * forgotten. Thread-safe.
 *
 * @param <T> the type of the values
 */
final class Recent<T> {

	private static final int MAX_ENTRIES = 1000;

	private final Clock clock;

	private final Duration kept;

	private final Map<String, Entry<T>> entries = new ConcurrentHashMap<>();

	Recent(Clock clock, Duration kept) {
		this.clock = clock;
		this.kept = kept;
	}

	/** Keeps a value from now on, in place of any by that name. */
	synchronized void put(String name, T value) {
		Instant now = this.clock.instant();
		forgetBefore(now);
		this.entries.put(name, new Entry<>(value, now.plus(this.kept)));
		if (this.entries.size() > MAX_ENTRIES) {
			this.entries.entrySet()
				.stream()
				.min(Comparator.comparing((entry) -> entry.getValue().until()))
				.ifPresent((oldest) -> this.entries.remove(oldest.getKey()));
		}
	}

	boolean remove(String name) {
		return this.entries.remove(name) != null;
	}

	/** Removes a value, unless it was replaced since it was looked at. */
	void remove(String name, T value) {
		Entry<T> entry = this.entries.get(name);
		if (entry != null && entry.value() == value) {
			this.entries.remove(name, entry);
		}
	}

	boolean isEmpty() {
		return this.entries.isEmpty();
	}

	boolean contains(String name) {
		Entry<T> entry = this.entries.get(name);
		return entry != null && !entry.until().isBefore(this.clock.instant());
	}

	/**
	 * What is kept now; what was kept for long enough is forgotten.
	 * @return the values by name, in no order
	 */
	Map<String, T> entries() {
		Instant now = this.clock.instant();
		Map<String, T> current = new LinkedHashMap<>();
		for (Map.Entry<String, Entry<T>> each : this.entries.entrySet()) {
			if (!each.getValue().until().isBefore(now)) {
				current.put(each.getKey(), each.getValue().value());
			}
		}
		if (current.size() < this.entries.size()) {
			forgetBefore(now);
		}
		return current;
	}

	private void forgetBefore(Instant now) {
		this.entries.values().removeIf((entry) -> entry.until().isBefore(now));
	}

	private record Entry<T>(T value, Instant until) {

	}

}
