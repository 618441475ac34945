package dev.warmup.bench.scenario;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.warmup.bench.stack.Answer;
import dev.warmup.bench.stack.Stack;

/**
 * Tells instances apart by what they answer: each chat-service of the stack has a
 * database of its own, so a room that was made at one is seen at no other.
 */
public final class Marks {

	/** What {@link #find} says of an instance that was not marked. */
	public static final String NONE = "unmarked";

	private static final Pattern MARK = Pattern.compile("mark of (chat-service-\\d+)");

	private Marks() {
	}

	/**
	 * Marks an instance.
	 * @param stack its stack
	 * @param process its name
	 * @throws IllegalStateException when it does not take the mark
	 */
	public static void put(Stack stack, String process) {
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
	public static String find(String body) {
		Matcher mark = MARK.matcher(body);
		return mark.find() ? mark.group(1) : NONE;
	}

}
