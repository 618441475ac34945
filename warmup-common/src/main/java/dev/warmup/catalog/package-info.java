/**
 * What to send: the request catalog, checked and immutable.
 */
@NullMarked
package dev.warmup.catalog;

import org.jspecify.annotations.NullMarked;
