package dev.warmup.example.chat.room;

import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.Table;

/**
 * A chat room.
 *
 * @param id assigned by the database; 0 before it is stored
 * @param name need not be unique
 */
@Table("rooms")
public record Room(@Id long id, String name) {
}
