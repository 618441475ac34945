package dev.warmup;

/**
 * Application event: the gate has opened, and users may come. Published once, on the
 * thread that opens it; listeners must not block.
 */
public record GateOpened() {

}
