package dev.warmup.bench.stack;

/**
 * How a command ended.
 *
 * @param exitCode its exit code
 * @param output what it printed, errors included
 */
public record Outcome(int exitCode, String output) {

}
