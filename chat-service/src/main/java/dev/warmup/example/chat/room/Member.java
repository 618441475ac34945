package dev.warmup.example.chat.room;

import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.Table;

/** The membership of a user in a room. */
@Table("members")
record Member(@Id long roomId, long userId) {
}
