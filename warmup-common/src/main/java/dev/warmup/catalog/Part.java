package dev.warmup.catalog;

import java.time.Clock;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

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

	/** A value known when the catalog was read: an environment variable or a number. */
	record Fixed(Object known) implements Part {

		@Override
		public Object value(Scope scope) {
			return this.known;
		}

	}

	/** {@code uuid}: another random UUID at each rendering. */
	record Uuid() implements Part {

		@Override
		public Object value(Scope scope) {
			return UUID.randomUUID().toString();
		}

	}

	/** {@code now}: the instant of rendering, ISO-8601. */
	record Now(Clock clock) implements Part {

		@Override
		public Object value(Scope scope) {
			return this.clock.instant().toString();
		}

	}

	/** {@code randomInt(a,b)}: a number from {@code a} to {@code b}, both included. */
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
