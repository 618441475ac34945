package dev.warmup.catalog;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

import org.springframework.boot.convert.DurationStyle;

/**
 * Reads durations as Spring Boot writes them; a bare number is refused for want of a
 * unit.
 */
final class Durations {

	private static final Duration LONGEST = Duration.ofMinutes(10);

	private static final Pattern WITH_UNIT = Pattern.compile("[0-9]{1,9}(ns|us|ms|s|m|h|d)|P[0-9DTHMS.]+");

	private static final String MEND = "write a number and its unit, such as 500ms or 2s, up to 10m";

	private Durations() {
	}

	/** A positive duration of at most ten minutes. */
	static Optional<Duration> read(Entry entry) {
		Optional<String> text = entry.text(MEND);
		Optional<Duration> inRange = text.flatMap(Durations::parse)
			.filter((duration) -> duration.compareTo(Duration.ZERO) > 0 && duration.compareTo(LONGEST) <= 0);
		if (text.isPresent() && inRange.isEmpty()) {
			entry.problem("'%s' is not a positive duration of at most 10 minutes".formatted(text.get()), MEND);
		}
		return inRange;
	}

	private static Optional<Duration> parse(String text) {
		if (!WITH_UNIT.matcher(text).matches()) {
			return Optional.empty();
		}
		try {
			return Optional.of(DurationStyle.detectAndParse(text));
		}
		catch (IllegalArgumentException ex) {
			return Optional.empty();
		}
	}

}
