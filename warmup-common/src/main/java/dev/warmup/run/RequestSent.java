package dev.warmup.run;

import java.time.Duration;

/**
 * Application event: a warm-up request was answered, or given up. Listeners must not
 * block.
 *
 * @param scenario the scenario's name
 * @param request the request's name
 * @param outcome {@code expected}, {@code unexpected}, or {@code failed} without an
 * answer
 * @param latency from sending to the last byte of the answer; zero without an answer
 */
public record RequestSent(String scenario, String request, String outcome, Duration latency) {

}
