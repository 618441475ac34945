package dev.warmup.example.chat.message;

import java.util.List;
import java.util.OptionalLong;

/**
 * Some messages of a room, newest first.
 *
 * @param messages the messages; none when the room has no older ones
 * @param next what to ask for as {@code before} to get the next older page; empty
 * ({@code null} in JSON) on the last one
 */
record MessagePage(List<Message> messages, OptionalLong next) {

	MessagePage {
		messages = List.copyOf(messages);
	}

	/**
	 * Makes a page of one message more than {@code limit}, which tells whether there is
	 * another page.
	 */
	static MessagePage of(List<Message> found, int limit) {
		if (found.size() <= limit) {
			return new MessagePage(found, OptionalLong.empty());
		}
		List<Message> page = found.subList(0, limit);
		return new MessagePage(page, OptionalLong.of(page.get(limit - 1).id()));
	}

}
