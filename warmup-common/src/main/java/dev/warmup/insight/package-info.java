/**
 * What runs and users show besides latency: coverage of the catalog, pools, and the
 * compiler.
 */
@NullMarked
package dev.warmup.insight;

import org.jspecify.annotations.NullMarked;
