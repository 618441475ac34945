package dev.warmup.example.chat.message;

import java.time.Instant;

import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.Table;

/**
 * What a user said in a room.
 *
 * @param id given by the database, ascending within a room; 0 before it is stored
 * @param roomId where it was said
 * @param userId who said it
 * @param text as it was said
 * @param sentAt when it was stored, to the microsecond, which is what a database keeps
 */
@Table("messages")
public record Message(@Id long id, long roomId, long userId, String text, Instant sentAt) {
}
