/** Endpoints, health, and meters. */
@NullMarked
package dev.warmup.actuate;

import org.jspecify.annotations.NullMarked;
