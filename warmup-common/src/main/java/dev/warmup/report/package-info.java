/**
 * What an instance tells each gateway about itself: that it comes, how the run that went
 * through it ended, and that it leaves.
 */
@NullMarked
package dev.warmup.report;

import org.jspecify.annotations.NullMarked;
