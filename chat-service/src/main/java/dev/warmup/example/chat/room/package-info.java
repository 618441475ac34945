/** Rooms and their members. */
@NullMarked
package dev.warmup.example.chat.room;

import org.jspecify.annotations.NullMarked;
