/** Rooms, and who is a member of which. */
@NullMarked
package dev.warmup.example.chat.room;

import org.jspecify.annotations.NullMarked;
