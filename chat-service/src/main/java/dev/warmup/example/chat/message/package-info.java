/** Messages of a room: posted, paged backwards, and followed live. */
@NullMarked
package dev.warmup.example.chat.message;

import org.jspecify.annotations.NullMarked;
