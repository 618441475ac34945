package dev.warmup.protocol;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * When an idle instance is warmed again.
 *
 * @param after how long it must be idle; zero means never
 * @param lastUserRequest when the last user request began or ended
 * @param next when the next run is due without users before
 */
public record IdleStatus(Duration after, Optional<Instant> lastUserRequest, Optional<Instant> next) {

}
