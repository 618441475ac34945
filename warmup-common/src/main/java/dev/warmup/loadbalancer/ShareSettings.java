package dev.warmup.loadbalancer;

import java.time.Duration;

/**
 * How a gateway shares out users.
 *
 * @param rampWindow after how long an instance that opened before its run ended is a full
 * member at the latest; 0 means at once
 */
public record ShareSettings(Duration rampWindow) {

}
