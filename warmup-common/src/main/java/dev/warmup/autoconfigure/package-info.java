/**
 * Puts the library together; each bean that is an extension point gives way to the
 * application's own.
 */
@NullMarked
package dev.warmup.autoconfigure;

import org.jspecify.annotations.NullMarked;
