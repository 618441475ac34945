/** Tells a push service of each message, beside the request and never in its way. */
@NullMarked
package dev.warmup.example.chat.push;

import org.jspecify.annotations.NullMarked;
