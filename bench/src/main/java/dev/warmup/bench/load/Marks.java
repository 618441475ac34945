package dev.warmup.bench.load;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.warmup.bench.stack.Answer;
import dev.warmup.bench.stack.App;

/**
 * Distinguishes instances of chat-service by a room that only one of them has: each keeps
 * its rooms in a database of its own. Works for {@code GET /chat-service/rooms}.
 */
public final class Marks {

	/** The result of {@link #find} for an instance without a mark. */
	public static final String NONE = "unmarked";

	private static final Pattern MARK = Pattern.compile("mark of (chat-service-\\d+)");

	private Marks() {
	}

	/** Marks an instance. */
	public static void put(App service) {
		Answer answer = service.post("/rooms", "{\"name\": \"mark of %s\"}".formatted(service.name()));
		if (answer.status() != 201) {
			throw new IllegalStateException("cannot mark %s: %s".formatted(service, answer));
		}
	}

	/** Finds the instance that answered with this list of rooms. */
	public static String find(String body) {
		Matcher mark = MARK.matcher(body);
		return mark.find() ? mark.group(1) : NONE;
	}

}
