/**
 * The event loops that handle requests and their database connections, and requests whose
 * client has left.
 */
@NullMarked
package dev.warmup.example.chat.server;

import org.jspecify.annotations.NullMarked;
