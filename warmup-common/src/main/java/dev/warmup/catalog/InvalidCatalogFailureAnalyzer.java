package dev.warmup.catalog;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Turns an unusable catalog into advice. Listed in {@code META-INF/spring.factories}.
 */
final class InvalidCatalogFailureAnalyzer extends AbstractFailureAnalyzer<InvalidCatalogException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidCatalogException cause) {
		return new FailureAnalysis(cause.getMessage(),
				"Correct what is listed, or start without warming up: warmup.enabled=false", cause);
	}

}
