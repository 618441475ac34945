package dev.warmup.record;

import java.time.Duration;
import java.util.Optional;

/**
 * What became of one task that warmed something else than a request does.
 *
 * @param name the task's name
 * @param took how long it took
 * @param problem why it failed, or empty when it did not
 */
public record TaskRecord(String name, Duration took, Optional<String> problem) {

}
