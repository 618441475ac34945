/** What grows: catalogs of many requests, and fleets of instances that nobody runs. */
@NullMarked
package dev.warmup.bench.growth;

import org.jspecify.annotations.NullMarked;
