package dev.warmup.catalog;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
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
	 * Fills every placeholder. Objects and lists are written as JSON. Files block.
	 * @throws IllegalStateException if the scope lacks one of {@link #names()}
	 * @throws UncheckedIOException if a file cannot be read; its message says why
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
			.filter((part) -> !(part instanceof Named || part instanceof FileText))
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

	/** A placeholder for a file: read at each use, without its last line break. */
	record FileText(String path) implements Part {

		/** In bytes. */
		private static final int LARGEST = 1 << 16;

		@Override
		public String value(Scope scope) {
			try {
				return read().replaceFirst("\\R\\z", "");
			}
			catch (IOException | InvalidPathException ex) {
				throw new UncheckedIOException("the file '%s' cannot be read: %s".formatted(this.path, ex.getMessage()),
						new IOException(ex));
			}
		}

		/** What {@code /proc} has would let a catalog read the whole environment. */
		private String read() throws IOException {
			Path file = Path.of(this.path);
			if (!file.isAbsolute() || !Files.isReadable(file) || file.toRealPath().startsWith("/proc")) {
				throw new IOException("it is no readable file outside of /proc");
			}
			try (InputStream input = Files.newInputStream(file)) {
				byte[] bytes = input.readNBytes(LARGEST + 1);
				if (bytes.length > LARGEST) {
					throw new IOException("it is over 64 KiB");
				}
				return CatalogFiles.text(bytes).orElseThrow(() -> new IOException("it is not text in UTF-8"));
			}
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
		 * that one {@code uuid} stays the same throughout. One whose file cannot be read
		 * fails where it is used. Reading a file blocks.
		 */
		public static Scope of(Catalog catalog) {
			Map<String, Object> values = new LinkedHashMap<>();
			catalog.variables().forEach((name, template) -> values.put(name, valueOrFailure(template)));
			return new Scope(values);
		}

		private static Object valueOrFailure(Template variable) {
			try {
				return variable.value(EMPTY);
			}
			catch (UncheckedIOException ex) {
				return ex;
			}
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
			if (value instanceof UncheckedIOException unreadable) {
				throw unreadable;
			}
			return value;
		}

		@Override
		public String toString() {
			return "Scope" + this.values.keySet();
		}

	}

}
