/**
 * What runs and users show besides latency: coverage of the catalog, pools, and the AOT
 * cache.
 */
@NullMarked
package dev.warmup.insight;

import org.jspecify.annotations.NullMarked;
