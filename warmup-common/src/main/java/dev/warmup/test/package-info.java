/** What tests of applications use: the check that a catalog is still true. */
@NullMarked
package dev.warmup.test;

import org.jspecify.annotations.NullMarked;
