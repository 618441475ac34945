package dev.warmup.catalog;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Text with placeholders, checked when the catalog was read; immutable and thread-safe.
 * Prints as its source, so that no secret of the environment reaches a log.
 */
public final class Template {

	private static final Pattern HEADER = Pattern.compile("[\\t\\x20-\\x7E\\x80-\\xFF]*");

	private final String source;

	private final List<Part> parts;

	/** Consists of these parts, of which empty ones are left out. */
	Template(String source, List<Part> parts) {
		this.source = source;
		this.parts = parts.stream().filter((part) -> !part.equals(new Literal(""))).toList();
	}

	/** The text as it stands in the file, with its placeholders. */
	public String source() {
		return this.source;
	}

	/**
	 * Fills every placeholder. Objects and lists are written as JSON.
	 * @throws IllegalStateException if the scope lacks one of {@link #names()}
	 */
	public String render(Scope scope) {
		return render(scope, UnaryOperator.identity(), UnaryOperator.identity());
	}

	/** The variables and captures it needs; built-in placeholders are not among them. */
	public Set<String> names() {
		return this.parts.stream()
			.filter(Named.class::isInstance)
			.map((part) -> ((Named) part).name())
			.collect(Collectors.toUnmodifiableSet());
	}

	String render(Scope scope, UnaryOperator<String> literals, UnaryOperator<String> values) {
		return this.parts.stream()
			.map((part) -> (part instanceof Literal literal) ? literals.apply(literal.text())
					: values.apply(Json.text(part.value(scope))))
			.collect(Collectors.joining());
	}

	/** The value with its type when it is nothing but one placeholder, else the text. */
	Object value(Scope scope) {
		return (this.parts.size() == 1) ? this.parts.get(0).value(scope) : render(scope);
	}

	/**
	 * Whether what is known at reading may be sent as a header, and would be as it is.
	 */
	boolean isHeader() {
		return this.parts.stream()
			.filter((part) -> !(part instanceof Named))
			.allMatch((part) -> HEADER.matcher(part.value(Scope.EMPTY).toString()).matches());
	}

	@Override
	public String toString() {
		return this.source;
	}

	/** A piece of a template: literal text, or a placeholder. */
	@FunctionalInterface
	interface Part {

		/** A string, number, boolean, map or list. */
		Object value(Scope scope);

	}

	/** Text between placeholders. */
	record Literal(String text) implements Part {

		@Override
		public Object value(Scope scope) {
			return this.text;
		}

	}

	/** A placeholder for a variable or a capture. */
	record Named(String name) implements Part {

		@Override
		public Object value(Scope scope) {
			return scope.value(this.name);
		}

	}

	/**
	 * The values known during one repetition of a scenario: variables and captures.
	 * Immutable and thread-safe. Prints names only, since values may be secrets.
	 */
	public static final class Scope {

		/** Knows nothing. */
		static final Scope EMPTY = new Scope(Map.of());

		private final Map<String, Object> values;

		private Scope(Map<String, Object> values) {
			this.values = Map.copyOf(values);
		}

		/**
		 * Begins a repetition with the variables of the catalog, each evaluated once, so
		 * that one {@code uuid} stays the same throughout.
		 */
		public static Scope of(Catalog catalog) {
			Map<String, Object> values = new LinkedHashMap<>();
			catalog.variables().forEach((name, template) -> values.put(name, template.value(EMPTY)));
			return new Scope(values);
		}

		/** A new scope that has these captures too; one of the same name is replaced. */
		public Scope with(Map<String, Object> captured) {
			Map<String, Object> all = new HashMap<>(this.values);
			all.putAll(captured);
			return new Scope(all);
		}

		boolean holds(Set<String> names) {
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

}
