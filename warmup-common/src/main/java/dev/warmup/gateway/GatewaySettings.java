package dev.warmup.gateway;

import java.time.Duration;

/**
 * How much a gateway lets through, and how long it warms itself.
 *
 * @param maxConcurrent how many warm-up requests may be in flight at once, at least 1
 * @param budget the time that services may take to warm a starting gateway
 */
public record GatewaySettings(int maxConcurrent, Duration budget) {

}
