/** Decides which claims to be warm-up are true. */
@NullMarked
package dev.warmup.verify;

import org.jspecify.annotations.NullMarked;
