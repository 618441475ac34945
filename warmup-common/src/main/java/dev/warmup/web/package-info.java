/**
 * Separates warm-up from user requests in a service, reactive or servlet, and marks the
 * requests that it sends meanwhile.
 */
@NullMarked
package dev.warmup.web;

import org.jspecify.annotations.NullMarked;
