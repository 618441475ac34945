/** Reads what docker compose is given, and holds it against the product. */
@NullMarked
package dev.warmup.docker.compose;

import org.jspecify.annotations.NullMarked;
