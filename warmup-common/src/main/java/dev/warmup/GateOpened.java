package dev.warmup;

/**
 * Application event: the gate has opened, users may come. Published once, on the thread
 * that ends the run; listeners must not block.
 */
public record GateOpened() {

}
