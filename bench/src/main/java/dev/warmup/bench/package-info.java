/**
 * Measures how cold a stack is on its first requests, with the warm-up and without it,
 * side by side.
 */
@NullMarked
package dev.warmup.bench;

import org.jspecify.annotations.NullMarked;
