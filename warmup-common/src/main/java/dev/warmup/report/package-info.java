/** Tells each gateway how the run that went through it ended. */
@NullMarked
package dev.warmup.report;

import org.jspecify.annotations.NullMarked;
