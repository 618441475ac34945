/** The gateway of the example stack. */
@NullMarked
package dev.warmup.example.gateway;

import org.jspecify.annotations.NullMarked;
