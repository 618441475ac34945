/**
 * Puts the stages together from properties and gives way to the application's own beans.
 */
@NullMarked
package dev.warmup.autoconfigure;

import org.jspecify.annotations.NullMarked;
