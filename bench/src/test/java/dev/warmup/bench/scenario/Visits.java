package dev.warmup.bench.scenario;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.warmup.bench.load.Experience;
import dev.warmup.bench.load.Visit;

/** Visits of users who come to a system whose clock begins at zero. */
final class Visits {

	private Visits() {
	}

	static Experience of(Visit... visits) {
		return new Experience(0, List.of(visits));
	}

	static Visit answered(String request, long endedMillis, long tookMillis) {
		return visit(request, endedMillis, tookMillis, Optional.empty());
	}

	static Visit failed(String request, long endedMillis, long tookMillis) {
		return visit(request, endedMillis, tookMillis, Optional.of("503 (expected 2xx)"));
	}

	private static Visit visit(String request, long endedMillis, long tookMillis, Optional<String> problem) {
		return new Visit(request, Duration.ofMillis(endedMillis).toNanos(), Duration.ofMillis(tookMillis), problem);
	}

}
