package dev.warmup;

/**
 * Application event: the gate has opened, and users may come. Published once, on the
 * thread that opens it; listeners must not block. Where the gate is off, or the whole
 * warm-up, it is published when the application is ready.
 */
public record GateOpened() {

}
