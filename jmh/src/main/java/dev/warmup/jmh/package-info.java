/**
 * Measures what a user's request pays for the library in a service and in a gateway where
 * nothing warms.
 */
@NullMarked
package dev.warmup.jmh;

import org.jspecify.annotations.NullMarked;
