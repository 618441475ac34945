package dev.warmup.example.chat.push;

import java.util.List;

/**
 * What the push service is told.
 *
 * @param roomId where something was said
 * @param messageId the message
 * @param senderId who said it
 * @param text what was said
 * @param recipientIds the room's other members
 */
record PushNotification(long roomId, long messageId, long senderId, String text, List<Long> recipientIds) {

	PushNotification {
		recipientIds = List.copyOf(recipientIds);
	}

}
