/** Publishes runs, tasks, requests and phases as meters. */
@NullMarked
package dev.warmup.meter;

import org.jspecify.annotations.NullMarked;
