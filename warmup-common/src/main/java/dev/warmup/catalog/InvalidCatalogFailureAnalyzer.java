package dev.warmup.catalog;

import java.util.stream.Collectors;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Turns an unusable catalog into advice. Listed in {@code META-INF/spring.factories}.
 */
final class InvalidCatalogFailureAnalyzer extends AbstractFailureAnalyzer<InvalidCatalogException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidCatalogException cause) {
		String problems = cause.problems()
			.stream()
			.map((problem) -> "  " + problem)
			.collect(Collectors.joining(System.lineSeparator()));
		int count = cause.problems().size();
		return new FailureAnalysis(
				"Warm-up catalog %s has %s:%n%n%s".formatted(cause.location(),
						(count == 1) ? "a problem" : count + " problems", problems),
				"Correct %s, or start without warming up: warmup.enabled=false"
					.formatted((count == 1) ? "that entry" : "those entries"),
				cause);
	}

}
