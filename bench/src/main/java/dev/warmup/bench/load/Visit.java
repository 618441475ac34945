package dev.warmup.bench.load;

import java.time.Duration;
import java.util.Optional;

/**
 * One request of a user, answered or not.
 *
 * @param request its name in the catalog
 * @param ended when the last byte was there, by {@link System#nanoTime()}
 * @param latency from sending to the last byte
 * @param problem what was wrong with the answer; empty when it was as expected
 */
public record Visit(String request, long ended, Duration latency, Optional<String> problem) {

}
