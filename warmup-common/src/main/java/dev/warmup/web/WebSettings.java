package dev.warmup.web;

/**
 * How a service treats requests.
 *
 * @param acceptUnsignedMarks whether a mark counts that anyone could have written
 */
public record WebSettings(boolean acceptUnsignedMarks) {

}
