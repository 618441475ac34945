/**
 * The library in a gateway with circuit breakers, limits and retries, and in a servlet
 * service with JPA and Spring Security.
 */
@NullMarked
package dev.warmup.compatibility;

import org.jspecify.annotations.NullMarked;
