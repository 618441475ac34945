/** Users: sign-up, look-up and withdrawal. */
@NullMarked
package dev.warmup.example.chat.user;

import org.jspecify.annotations.NullMarked;
