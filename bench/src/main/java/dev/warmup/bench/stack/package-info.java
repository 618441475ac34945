/** The stack under test: the packaged jars as processes, typed and controllable. */
@NullMarked
package dev.warmup.bench.stack;

import org.jspecify.annotations.NullMarked;
