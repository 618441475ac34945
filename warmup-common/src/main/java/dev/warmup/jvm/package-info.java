/**
 * Tells what a run did to the JVM: which classes it loaded, and what is left to compile.
 */
@NullMarked
package dev.warmup.jvm;

import org.jspecify.annotations.NullMarked;
