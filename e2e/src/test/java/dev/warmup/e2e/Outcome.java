package dev.warmup.e2e;

/**
 * How a command ended.
 *
 * @param exitCode its exit code
 * @param output what it printed, errors included
 */
record Outcome(int exitCode, String output) {

}
