/**
 * Load as a user would make it: many come at once, walk through the chat, and leave.
 */
@NullMarked
package dev.warmup.gatling;

import org.jspecify.annotations.NullMarked;
