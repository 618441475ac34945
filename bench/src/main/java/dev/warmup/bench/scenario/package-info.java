/** What is measured of each variant. */
@NullMarked
package dev.warmup.bench.scenario;

import org.jspecify.annotations.NullMarked;
