package dev.warmup.catalog;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The values known during one repetition of a scenario: variables and captures. Immutable
 * and thread-safe. Prints names only, since values may be secrets.
 */
public final class Scope {

	/** Knows nothing. */
	static final Scope EMPTY = new Scope(Map.of());

	private final Map<String, Object> values;

	private Scope(Map<String, Object> values) {
		this.values = Map.copyOf(values);
	}

	/**
	 * Begins a repetition: evaluates each variable of the catalog once, so that one
	 * {@code uuid} stays the same throughout.
	 * @param catalog the catalog that is replayed
	 * @return a scope with the variables and no captures
	 */
	public static Scope of(Catalog catalog) {
		Map<String, Object> values = new LinkedHashMap<>();
		catalog.variables().forEach((name, template) -> values.put(name, template.value(EMPTY)));
		return new Scope(values);
	}

	/**
	 * Adds captures. A capture of the same name is replaced.
	 * @param captured the values, such as {@link Capture.Found#values()}
	 * @return a new scope; this one stays as it is
	 */
	public Scope with(Map<String, Object> captured) {
		Map<String, Object> all = new HashMap<>(this.values);
		all.putAll(captured);
		return new Scope(all);
	}

	/**
	 * Tells whether all of these names have a value by now.
	 * @param names names of variables and captures
	 * @return {@code true} if none is missing
	 */
	public boolean holds(Set<String> names) {
		return this.values.keySet().containsAll(names);
	}

	Object value(String name) {
		Object value = this.values.get(name);
		if (value == null) {
			throw new IllegalStateException("No value is known for {{%s}}".formatted(name));
		}
		return value;
	}

	@Override
	public String toString() {
		return "Scope" + this.values.keySet();
	}

}
