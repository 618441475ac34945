/**
 * The packaged jars as processes, and what is compared: the ways to get a fresh stack
 * ready for users.
 */
@NullMarked
package dev.warmup.bench.stack;

import org.jspecify.annotations.NullMarked;
