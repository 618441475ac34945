/** Reads what the images are made by, and runs what starts them, without an engine. */
@NullMarked
package dev.warmup.docker.image;

import org.jspecify.annotations.NullMarked;
