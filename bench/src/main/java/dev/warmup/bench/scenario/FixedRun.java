package dev.warmup.bench.scenario;

import java.util.Map;

/** A run of the library that is over after a few repetitions, whatever it measures. */
final class FixedRun {

	/** Settings for five repetitions of each request. */
	static final Map<String, String> SETTINGS = Map.of("WARMUP_STARTUP_MIN_REPETITIONS", "5",
			"WARMUP_STARTUP_MAX_REPETITIONS", "5", "WARMUP_STEADY_TOLERANCE", "1000", "WARMUP_STEADY_MAX_SPREAD",
			"1000", "WARMUP_STEADY_WINDOW", "5", "WARMUP_STEADY_MAX_JIT", "1000", "WARMUP_STEADY_MAX_CLASSES",
			"1000000");

	private FixedRun() {
	}

}
