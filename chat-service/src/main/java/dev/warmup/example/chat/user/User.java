package dev.warmup.example.chat.user;

import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.Table;

/**
 * A user.
 *
 * @param id assigned by the database; 0 before it is stored
 * @param email in lower case and unique
 * @param name the name shown to others
 */
@Table("users")
public record User(@Id long id, String email, String name) {
}
