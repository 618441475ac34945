/**
 * What every application with the library has: its gate, its own state and who may read
 * it, and the filters that tell warm-up from users.
 */
@NullMarked
package dev.warmup.service;

import org.jspecify.annotations.NullMarked;
