package dev.warmup.bench.scenario;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

import dev.warmup.bench.load.Experience;
import dev.warmup.bench.load.Visit;
import dev.warmup.bench.result.Recorder;

/**
 * What a user saw who came after an idle time, and what one sees who comes all the time.
 */
final class IdleFigures {

	/** How many requests are the first ones. */
	static final int FIRST = 100;

	private IdleFigures() {
	}

	/**
	 * Records the latency of the first answer of each kind that was as expected, and the
	 * median of the first 100 of all.
	 * @param requests the kinds
	 * @param seen the user's requests, {@value #FIRST} or more
	 * @param recorder takes the figures
	 */
	static void first(List<String> requests, Experience seen, Recorder recorder) {
		record(requests, seen, recorder, (kind) -> kind.visits().stream().findFirst().map(Visit::latency));
	}

	/**
	 * Records the median latency of each kind, and of the first 100 of all.
	 * @param requests the kinds
	 * @param seen the user's requests, {@value #FIRST} or more, and 20 or more of a kind
	 * @param recorder takes the figures
	 */
	static void steady(List<String> requests, Experience seen, Recorder recorder) {
		record(requests, seen, recorder,
				(kind) -> kind.visits().isEmpty() ? Optional.empty() : Optional.of(kind.percentile(50)));
	}

	private static void record(List<String> requests, Experience seen, Recorder recorder,
			Function<Experience, Optional<Duration>> figure) {
		Experience answered = new Experience(seen.begin(),
				seen.visits().stream().filter((visit) -> visit.problem().isEmpty()).toList());
		for (String request : requests) {
			figure.apply(answered.of(request)).ifPresent((latency) -> recorder.latency("", request, latency));
		}
		Experience first = new Experience(seen.begin(), seen.visits().stream().limit(FIRST).toList());
		recorder.latency("", "p50 of 100", first.percentile(50));
		if (seen.errors() > 0) {
			recorder.note("Not every request was answered as expected.");
		}
	}

}
