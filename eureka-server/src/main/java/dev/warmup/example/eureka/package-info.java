/** The registry of the example stack. */
@NullMarked
package dev.warmup.example.eureka;

import org.jspecify.annotations.NullMarked;
