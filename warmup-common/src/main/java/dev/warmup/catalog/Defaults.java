package dev.warmup.catalog;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import org.springframework.util.LinkedCaseInsensitiveMap;

/**
 * What the catalog adds to each request that does not say otherwise.
 *
 * @param headers where the file has each header's value, by name without regard to case
 * @param timeout the longest wait for an answer
 * @param expect what an answer must be
 */
record Defaults(Map<String, Entry> headers, Duration timeout, Expectation expect) {

	/**
	 * What holds where the file has no defaults. Ten seconds, since the first answer of a
	 * cold service is slow, and that is no failure.
	 */
	static final Defaults NONE = new Defaults(new LinkedCaseInsensitiveMap<>(), Duration.ofSeconds(10),
			new Expectation(StatusExpectation.SUCCESSFUL, Optional.empty(), Map.of()));

	/** Reads the file's {@code defaults}. */
	static Defaults read(Entry entry) {
		return entry.fields(Set.of("headers", "timeout", "expect"))
			.map((fields) -> new Defaults(HeaderReader.entries(fields.find("headers")),
					fields.find("timeout").flatMap(Durations::read).orElse(NONE.timeout()),
					fields.find("expect")
						.map((expect) -> ExpectationReader.read(expect, NONE.expect()))
						.orElse(NONE.expect())))
			.orElse(NONE);
	}

}
