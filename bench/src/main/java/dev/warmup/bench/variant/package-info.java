/** What is compared: the ways to get a fresh stack ready for users. */
@NullMarked
package dev.warmup.bench.variant;

import org.jspecify.annotations.NullMarked;
