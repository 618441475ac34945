package dev.warmup.catalog;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Turns an unusable catalog into advice. */
final class InvalidCatalogFailureAnalyzer extends AbstractFailureAnalyzer<InvalidCatalogException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidCatalogException cause) {
		return new FailureAnalysis(cause.getMessage(),
				"Correct what is listed, or start without warming up: warmup.enabled=false", cause);
	}

}
