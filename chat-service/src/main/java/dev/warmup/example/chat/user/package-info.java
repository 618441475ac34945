/** People who sign up, are found, and withdraw with all they left. */
@NullMarked
package dev.warmup.example.chat.user;

import org.jspecify.annotations.NullMarked;
