package dev.warmup.example.chat.message;

import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.Size;

/**
 * A message to be posted.
 *
 * @param userId who says it, and thereby joins the room
 * @param text what is said
 */
record NewMessage(@NotNull @Positive Long userId, @NotBlank @Size(max = 2000) String text) {
}
