/**
 * Filters and client marks in a service, reactive and servlet.
 */
@NullMarked
package dev.warmup.web;

import org.jspecify.annotations.NullMarked;
