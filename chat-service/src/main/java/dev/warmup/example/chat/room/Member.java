package dev.warmup.example.chat.room;

import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.Table;

/** A user in a room; at most one for each pair. */
@Table("members")
record Member(@Id long roomId, long userId) {
}
