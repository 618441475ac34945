/** A small chat: users, rooms and messages. */
@NullMarked
package dev.warmup.example.chat;

import org.jspecify.annotations.NullMarked;
