/** What is measured: each scenario is a list of steps that yield samples. */
@NullMarked
package dev.warmup.bench.scenario;

import org.jspecify.annotations.NullMarked;
