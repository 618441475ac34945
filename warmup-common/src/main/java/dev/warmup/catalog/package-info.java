/** What to send: the request catalog, checked and immutable. Knows no other stage. */
@NullMarked
package dev.warmup.catalog;

import org.jspecify.annotations.NullMarked;
