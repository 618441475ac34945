package dev.warmup.example.chat.message;

import java.util.List;
import java.util.OptionalLong;

/**
 * Some messages of a room, newest first.
 *
 * @param messages the messages
 * @param next the value of {@code before} for the next older page; empty ({@code null} in
 * JSON) on the last one
 */
record MessagePage(List<Message> messages, OptionalLong next) {

	MessagePage {
		messages = List.copyOf(messages);
	}

	/**
	 * Creates a page from a query for one message more than {@code limit}, which shows
	 * whether there is another page.
	 */
	static MessagePage of(List<Message> found, int limit) {
		if (found.size() <= limit) {
			return new MessagePage(found, OptionalLong.empty());
		}
		List<Message> page = found.subList(0, limit);
		return new MessagePage(page, OptionalLong.of(page.get(limit - 1).id()));
	}

}
