/** Publishes runs, requests and phases as meters. */
@NullMarked
package dev.warmup.meter;

import org.jspecify.annotations.NullMarked;
