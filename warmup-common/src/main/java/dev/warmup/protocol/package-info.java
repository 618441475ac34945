/**
 * What services and gateways exchange: claims, reports, run records, verdicts, phases,
 * and status lines.
 */
@NullMarked
package dev.warmup.protocol;

import org.jspecify.annotations.NullMarked;
