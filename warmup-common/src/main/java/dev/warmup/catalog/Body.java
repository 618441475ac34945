package dev.warmup.catalog;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

import org.springframework.http.MediaType;

/**
 * The body of a request; immutable and thread-safe.
 *
 * @param contentType the type this body has by itself, or empty if it has none. A
 * {@code Content-Type} among the request's headers takes precedence
 * @param names the variables and captures it needs, in no order
 * @param content makes the bytes, with every placeholder filled, text in UTF-8; throws an
 * {@link IllegalStateException} if the scope lacks one of the names
 */
record Body(Optional<MediaType> contentType, Set<String> names, Function<Template.Scope, byte[]> content) {

	/** Text from the catalog, or from a file of text next to it. */
	static Body text(Template text, Optional<MediaType> contentType) {
		return new Body(contentType, text.names(), (scope) -> bytes(text.render(scope)));
	}

	/** A tree of values, sent as JSON. */
	static Body json(Template.Part tree, Set<String> names) {
		return new Body(Optional.of(MediaType.APPLICATION_JSON), names,
				(scope) -> bytes(Json.text(Json.tree(tree.value(scope)))));
	}

	/** A file that is not text, sent as it is. */
	static Body binary(byte[] bytes, Optional<MediaType> contentType) {
		return new Body(contentType, Set.of(), (scope) -> bytes.clone());
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
