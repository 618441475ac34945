package dev.warmup.catalog;

import java.time.Clock;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

import org.springframework.util.AlternativeJdkIdGenerator;
import org.springframework.util.IdGenerator;

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
