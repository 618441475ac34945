package dev.warmup.bench.result;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * All that one run of the benchmark brought.
 *
 * @param startedAt when it began
 * @param took how long it took
 * @param quick whether it was done with fewer repetitions
 * @param facts the machine and what ran on it, such as {@code JDK}, in the order of
 * telling
 * @param variants titles of the variants by id, in the order of the tables
 * @param samples the figures
 * @param notes what was left out, what failed, and why
 */
public record Results(Instant startedAt, Duration took, boolean quick, Map<String, String> facts,
		Map<String, String> variants, List<Sample> samples, List<Note> notes) {

	/** Copies what it is given. */
	public Results {
		facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
		variants = Collections.unmodifiableMap(new LinkedHashMap<>(variants));
		samples = List.copyOf(samples);
		notes = List.copyOf(notes);
	}

}
