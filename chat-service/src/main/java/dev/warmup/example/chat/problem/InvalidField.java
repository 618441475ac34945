package dev.warmup.example.chat.problem;

/**
 * One thing wrong with a request.
 *
 * @param field the field or parameter, as the caller wrote it
 * @param message what it has to be, such as {@code must not be blank}
 */
record InvalidField(String field, String message) {
}
