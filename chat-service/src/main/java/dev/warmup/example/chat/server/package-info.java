/** How a request gets from the wire to its controller. */
@NullMarked
package dev.warmup.example.chat.server;

import org.jspecify.annotations.NullMarked;
