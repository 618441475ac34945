package dev.warmup.catalog;

import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

import org.springframework.util.AlternativeJdkIdGenerator;
import org.springframework.util.IdGenerator;

/**
 * Text with placeholders, checked when the catalog was read; immutable and thread-safe.
 * Prints as its source, so that no secret of the environment reaches a log.
 */
public final class Template {

	private final String source;

	private final List<Part> parts;

	Template(String source, List<Part> parts) {
		this.source = source;
		this.parts = List.copyOf(parts);
	}

	/**
	 * The text as it stands in the file.
	 * @return the text, with its placeholders
	 */
	public String source() {
		return this.source;
	}

	/**
	 * Fills every placeholder. Objects and lists are written as JSON.
	 * @param scope the values known by now
	 * @return the text to send
	 * @throws IllegalStateException if the scope lacks one of {@link #names()}
	 */
	public String render(Scope scope) {
		return render(scope, UnaryOperator.identity(), UnaryOperator.identity());
	}

	/**
	 * The variables and captures it needs; built-in placeholders are not among them.
	 * @return their names, in no order
	 */
	public Set<String> names() {
		return this.parts.stream()
			.filter(Part.Named.class::isInstance)
			.map((part) -> ((Part.Named) part).name())
			.collect(Collectors.toUnmodifiableSet());
	}

	String render(Scope scope, UnaryOperator<String> literals, UnaryOperator<String> values) {
		return this.parts.stream()
			.map((part) -> (part instanceof Part.Literal literal) ? literals.apply(literal.text())
					: values.apply(Json.text(part.value(scope))))
			.collect(Collectors.joining());
	}

	/** The value with its type when it is nothing but one placeholder, else the text. */
	Object value(Scope scope) {
		return (this.parts.size() == 1) ? this.parts.get(0).value(scope) : render(scope);
	}

	/** Tells whether text known at reading breaks the line, as no header may. */
	boolean breaksLine() {
		return this.parts.stream()
			.map((part) -> (part instanceof Part.Literal literal) ? literal.text()
					: (part instanceof Part.Fixed fixed) ? fixed.known().toString() : "")
			.anyMatch((text) -> text.indexOf('\r') >= 0 || text.indexOf('\n') >= 0);
	}

	@Override
	public String toString() {
		return this.source;
	}

	/** A piece of a template: literal text, or a placeholder. */
	sealed interface Part {

		/**
		 * Gives the value of this piece.
		 * @param scope the values known by now
		 * @return a string, number, boolean, map or list
		 */
		Object value(Scope scope);

		/** Text between placeholders. */
		record Literal(String text) implements Part {

			@Override
			public Object value(Scope scope) {
				return this.text;
			}

		}

		/**
		 * A value known when the catalog was read: an environment variable or a number.
		 */
		record Fixed(Object known) implements Part {

			@Override
			public Object value(Scope scope) {
				return this.known;
			}

		}

		/**
		 * {@code uuid}: another random UUID (version 4) at each rendering. Not
		 * {@code UUID.randomUUID()}, which may block an event loop for entropy.
		 */
		record Uuid() implements Part {

			private static final IdGenerator IDS = new AlternativeJdkIdGenerator();

			@Override
			public Object value(Scope scope) {
				UUID random = IDS.generateId();
				return new UUID((random.getMostSignificantBits() & ~0xF000L) | 0x4000L,
						(random.getLeastSignificantBits() >>> 2) | Long.MIN_VALUE)
					.toString();
			}

		}

		/** {@code now}: the instant of rendering, ISO-8601. */
		record Now(Clock clock) implements Part {

			@Override
			public Object value(Scope scope) {
				return this.clock.instant().toString();
			}

		}

		/**
		 * {@code randomInt(a,b)}: a number from {@code a} to {@code b}, both included.
		 */
		record RandomInt(int least, int most) implements Part {

			@Override
			public Object value(Scope scope) {
				return Math.toIntExact(ThreadLocalRandom.current().nextLong(this.least, this.most + 1L));
			}

		}

		/** A variable or a capture. */
		record Named(String name) implements Part {

			@Override
			public Object value(Scope scope) {
				return scope.value(this.name);
			}

		}

	}

}
