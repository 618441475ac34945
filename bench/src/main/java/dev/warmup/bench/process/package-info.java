/**
 * What a running JVM has cost so far, read without asking the JVM for anything.
 */
@NullMarked
package dev.warmup.bench.process;

import org.jspecify.annotations.NullMarked;
