package dev.warmup.catalog;

import java.util.HashSet;
import java.util.Set;

/** Keeps the names of a scenario's requests apart. */
final class RequestNames {

	private final Set<String> written;

	private final Set<String> taken = new HashSet<>();

	RequestNames(Set<String> written) {
		this.written = Set.copyOf(written);
	}

	/** A name from the file; the second of its kind is a problem. */
	String written(Entry at, String name) {
		if (!this.taken.add(name)) {
			at.problem("duplicate request name '%s'".formatted(name), "give each request of a scenario its own name");
		}
		return name;
	}

	/** The first free one of {@code name}, {@code name (2)}, {@code name (3)}. */
	String derived(String name) {
		String free = name;
		for (int i = 2; this.written.contains(free) || !this.taken.add(free); i++) {
			free = "%s (%d)".formatted(name, i);
		}
		return free;
	}

}
