/**
 * What services and gateways exchange, and nothing else: an instance's state, the token
 * and header of a warm-up request, the record of a run, and the status line.
 */
@NullMarked
package dev.warmup.protocol;

import org.jspecify.annotations.NullMarked;
