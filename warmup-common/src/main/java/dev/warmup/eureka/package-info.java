/** What Eureka is told of this instance, and asked about others. */
@NullMarked
package dev.warmup.eureka;

import org.jspecify.annotations.NullMarked;
