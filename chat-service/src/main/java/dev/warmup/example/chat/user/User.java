package dev.warmup.example.chat.user;

import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.Table;

/**
 * Someone who signed up.
 *
 * @param id given by the database; 0 before it is stored
 * @param email in lower case, and no other user's
 * @param name as shown to others
 */
@Table("users")
public record User(@Id long id, String email, String name) {
}
