/** The benchmark: how slow the first requests are, by variant; {@code Main} runs it. */
@NullMarked
package dev.warmup.bench;

import org.jspecify.annotations.NullMarked;
