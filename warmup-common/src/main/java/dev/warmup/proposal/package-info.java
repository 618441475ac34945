/** A catalog that is made of the application's own request mappings, to be completed. */
@NullMarked
package dev.warmup.proposal;

import org.jspecify.annotations.NullMarked;
