package dev.warmup;

import java.util.stream.Stream;

import dev.warmup.run.SteadyCriteria;

/** What counts as steady in tests that are not about that. */
public final class Steadily {

	/** Any answer of a request will do, however busy the JVM is. */
	public static final SteadyCriteria AT_ONCE = new SteadyCriteria(1_000, 1_000, 1, 1_000, 1_000_000);

	private Steadily() {
	}

	/** Properties of which any five answers of a request will do. */
	public static String[] and(String... properties) {
		return Stream
			.concat(Stream.of(properties), Stream.of("warmup.steady.tolerance=1000", "warmup.steady.max-spread=1000",
					"warmup.steady.window=5", "warmup.steady.max-jit=1000", "warmup.steady.max-classes=1000000"))
			.toArray(String[]::new);
	}

}
