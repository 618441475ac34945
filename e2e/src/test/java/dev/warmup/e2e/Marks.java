package dev.warmup.e2e;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tells instances apart by what they answer: each chat-service of the stack has a
 * database of its own, so a room that was made at one is seen at no other.
 */
final class Marks {

	/** What {@link #find} says of an instance that was not marked. */
	static final String NONE = "unmarked";

	private static final Pattern MARK = Pattern.compile("mark of (chat-service-\\d+)");

	private Marks() {
	}

	/**
	 * Marks an instance.
	 * @param stack its stack
	 * @param process its name
	 */
	static void put(Stack stack, String process) {
		Answer answer = Answer.toPost(stack.direct(process, "/rooms"), "{\"name\": \"mark of " + process + "\"}");
		if (answer.status() != 201) {
			throw new IllegalStateException("cannot mark " + process + ": " + answer);
		}
	}

	/**
	 * Finds whose answer it is.
	 * @param body the rooms that were listed
	 * @return the process's name, or {@value #NONE}
	 */
	static String find(String body) {
		Matcher mark = MARK.matcher(body);
		return mark.find() ? mark.group(1) : NONE;
	}

}
