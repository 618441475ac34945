/**
 * How a request gets from the wire to its controller, and where it goes on once it has a
 * connection to the database.
 */
@NullMarked
package dev.warmup.example.chat.server;

import org.jspecify.annotations.NullMarked;
