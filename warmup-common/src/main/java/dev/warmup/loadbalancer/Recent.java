package dev.warmup.loadbalancer;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;

/**
 * Values by name, each kept for a limited time. Thread-safe, without a lock for users'
 * requests.
 *
 * @param <T> the type of the values
 */
final class Recent<T> {

	private final Clock clock;

	private final Duration kept;

	private final Map<String, Entry<T>> entries = new ConcurrentHashMap<>();

	Recent(Clock clock, Duration kept) {
		this.clock = clock;
		this.kept = kept;
	}

	/** Keeps a value from now on, in place of any by that name. */
	void put(String name, T value) {
		removeOver();
		this.entries.put(name, new Entry<>(value, this.clock.instant().plus(this.kept)));
	}

	/** Removes a value; returns whether there was one. */
	boolean remove(String name) {
		Entry<T> removed = this.entries.remove(name);
		return removed != null && !isOver(removed);
	}

	/** Removes a value, unless another has taken its place. */
	void remove(String name, T value) {
		this.entries.computeIfPresent(name, (key, entry) -> (entry.value() == value) ? null : entry);
	}

	/** Removes the values that match. */
	void removeIf(BiPredicate<String, T> condition) {
		this.entries.entrySet()
			.removeIf((each) -> isOver(each.getValue()) || condition.test(each.getKey(), each.getValue().value()));
	}

	boolean isEmpty() {
		return this.entries.isEmpty();
	}

	Optional<T> find(String name) {
		return Optional.ofNullable(this.entries.get(name)).filter((entry) -> !isOver(entry)).map(Entry::value);
	}

	/** The values, in no order; a copy. */
	List<T> values() {
		removeOver();
		return this.entries.values().stream().map(Entry::value).toList();
	}

	private void removeOver() {
		this.entries.values().removeIf(this::isOver);
	}

	private boolean isOver(Entry<T> entry) {
		return entry.until().isBefore(this.clock.instant());
	}

	private record Entry<T>(T value, Instant until) {

	}

}
