/** What was measured: samples, and what they come to. */
@NullMarked
package dev.warmup.bench.result;

import org.jspecify.annotations.NullMarked;
