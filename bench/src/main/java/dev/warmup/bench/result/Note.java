package dev.warmup.bench.result;

/**
 * Something that readers of the figures should know.
 *
 * @param scenario what it is about
 * @param variant whose figures it is about; empty for all
 * @param text a sentence
 */
public record Note(String scenario, String variant, String text) {

}
