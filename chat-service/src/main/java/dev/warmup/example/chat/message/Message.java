package dev.warmup.example.chat.message;

import java.time.Instant;

import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.Table;

/**
 * A message of a user in a room.
 *
 * @param id assigned by the database, ascending within a room; 0 before it is stored
 * @param roomId the room
 * @param userId the author
 * @param text the text
 * @param sentAt when it was stored, in microseconds like the databases
 */
@Table("messages")
record Message(@Id long id, long roomId, long userId, String text, Instant sentAt) {
}
