/**
 * The gateway's side: it knows each instance by reading its state, pins warm-up to the
 * instance that sends it, keeps users from instances that are not ready for them, and has
 * itself warmed by the services behind it.
 */
@NullMarked
package dev.warmup.gateway;

import org.jspecify.annotations.NullMarked;
