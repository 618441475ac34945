/** Has a gateway that is cold or idle ask the services behind it to warm it. */
@NullMarked
package dev.warmup.ask;

import org.jspecify.annotations.NullMarked;
