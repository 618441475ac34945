package dev.warmup.catalog;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;

import org.springframework.http.MediaType;

/** The body of a request; immutable and thread-safe. */
public sealed interface Body {

	/**
	 * The type this body has by itself. A {@code Content-Type} among the request's
	 * headers takes precedence.
	 * @return the type, or empty if the body does not tell
	 */
	Optional<MediaType> contentType();

	/**
	 * Fills every placeholder.
	 * @param scope the values known by now
	 * @return a new array, text in UTF-8
	 * @throws IllegalStateException if the scope lacks one of {@link #names()}
	 */
	byte[] render(Scope scope);

	/**
	 * The variables and captures it needs.
	 * @return their names, in no order
	 */
	Set<String> names();

	/**
	 * Text from the catalog, or from a file of text beside it.
	 *
	 * @param text what to send
	 * @param contentType the type, as the file's name tells it
	 */
	record Text(Template text, Optional<MediaType> contentType) implements Body {

		@Override
		public byte[] render(Scope scope) {
			return this.text.render(scope).getBytes(StandardCharsets.UTF_8);
		}

		@Override
		public Set<String> names() {
			return this.text.names();
		}

	}

	/**
	 * A tree of values, sent as JSON.
	 *
	 * @param tree what to send
	 */
	record Tree(JsonTemplate tree) implements Body {

		@Override
		public Optional<MediaType> contentType() {
			return Optional.of(MediaType.APPLICATION_JSON);
		}

		@Override
		public byte[] render(Scope scope) {
			return Json.bytes(this.tree.render(scope));
		}

		@Override
		public Set<String> names() {
			return this.tree.names();
		}

	}

	/** A file that is not text, sent as it is. */
	final class Binary implements Body {

		private final byte[] bytes;

		private final Optional<MediaType> contentType;

		Binary(byte[] bytes, Optional<MediaType> contentType) {
			this.bytes = bytes.clone();
			this.contentType = contentType;
		}

		@Override
		public Optional<MediaType> contentType() {
			return this.contentType;
		}

		@Override
		public byte[] render(Scope scope) {
			return this.bytes.clone();
		}

		@Override
		public Set<String> names() {
			return Set.of();
		}

	}

}
