/** Errors of clients as RFC 9457 problem details. */
@NullMarked
package dev.warmup.example.chat.problem;

import org.jspecify.annotations.NullMarked;
