/** The library in applications of adopters. */
@NullMarked
package dev.warmup.e2e.adopter;

import org.jspecify.annotations.NullMarked;
