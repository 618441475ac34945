package dev.warmup.example.chat.room;

import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;

/**
 * What to call a room that is being created.
 *
 * @param name need not be unique
 */
record NewRoom(@NotBlank @Size(max = 80) String name) {
}
