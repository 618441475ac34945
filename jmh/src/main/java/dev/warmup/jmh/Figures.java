package dev.warmup.jmh;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/**
 * What one benchmark came to.
 *
 * @param benchmark its class and method
 * @param library whether there was the library
 * @param threads how many threads sent requests
 * @param nanos nanoseconds a request
 * @param error half of the 99.9 % confidence interval of that
 * @param bytes bytes allocated a request
 * @param firstBytes the same in the first iteration that was measured
 * @param lastBytes the same in the last
 */
record Figures(String benchmark, Library library, int threads, double nanos, double error, double bytes,
		double firstBytes, double lastBytes) {

	private static final String BYTES = "gc.alloc.rate.norm";

	static Figures of(RunResult result) {
		BenchmarkParams parameters = result.getParams();
		List<IterationResult> iterations = result.getBenchmarkResults()
			.stream()
			.flatMap((fork) -> fork.getIterationResults().stream())
			.toList();
		String name = parameters.getBenchmark();
		int method = name.lastIndexOf('.');
		return new Figures(name.substring(name.lastIndexOf('.', method - 1) + 1),
				Library.valueOf(parameters.getParam("library")), parameters.getThreads(),
				result.getPrimaryResult().getScore(), result.getPrimaryResult().getScoreError(),
				bytes(result.getSecondaryResults()), bytes(iterations.get(0).getSecondaryResults()),
				bytes(iterations.get(iterations.size() - 1).getSecondaryResults()));
	}

	@SuppressWarnings("rawtypes")
	private static double bytes(Map<String, Result> secondary) {
		return Optional.ofNullable(secondary.get(BYTES))
			.map(Result::getScore)
			.orElseThrow(() -> new IllegalStateException("The profiler of the collector tells no bytes"));
	}

}
