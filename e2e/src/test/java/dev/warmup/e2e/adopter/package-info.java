/**
 * The library in applications of adopters: a gateway with circuit breakers, limits and
 * retries, a servlet service with JPA and Spring Security, and a reactive service.
 */
@NullMarked
package dev.warmup.e2e.adopter;

import org.jspecify.annotations.NullMarked;
