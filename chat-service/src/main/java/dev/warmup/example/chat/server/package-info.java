/** The event loops that handle requests and their database connections. */
@NullMarked
package dev.warmup.example.chat.server;

import org.jspecify.annotations.NullMarked;
