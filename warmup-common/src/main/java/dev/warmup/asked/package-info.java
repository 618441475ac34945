/** Answers, in a service, the gateways that ask to be warmed. */
@NullMarked
package dev.warmup.asked;

import org.jspecify.annotations.NullMarked;
