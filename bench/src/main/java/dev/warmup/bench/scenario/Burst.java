package dev.warmup.bench.scenario;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import dev.warmup.bench.load.Journey;
import dev.warmup.bench.load.Sample;
import dev.warmup.bench.stack.Stack;
import dev.warmup.bench.variant.Site;
import dev.warmup.bench.variant.Variant;

/**
 * 50 users at the moment the stack is ready, each with the next request after the answer
 * to the last: what they see in the first 1, 2 and 10 s.
 */
final class Burst {

	private static final int CONNECTIONS = 50;

	private Burst() {
	}

	static void measure(Site site, Variant variant, Recorder recorder) {
		List<Integer> windows = site.quick() ? List.of(1, 2) : List.of(1, 2, 10);
		try (Stack stack = variant.start(site, "burst")) {
			Journey journey = new Journey().warmedUp();
			Instant begin = Instant.now();
			List<Sample> samples = journey.closedLoop(stack.gateway().url("/chat-service"), CONNECTIONS,
					Duration.ofSeconds(windows.get(windows.size() - 1)));
			windows.forEach((seconds) -> record(samples, begin, seconds, recorder));
			First.noteUnlessWarm(variant, stack.service(), recorder);
		}
	}

	/**
	 * Latency counts for requests that began in the window, since the slowest end later;
	 * throughput for those that ended in it, as expected.
	 */
	static void record(List<Sample> samples, Instant begin, int seconds, Recorder recorder) {
		String part = seconds + " s";
		Instant end = begin.plusSeconds(seconds);
		recorder.summary(part, samples.stream().filter((sample) -> sample.start().isBefore(end)).toList());
		long answered = samples.stream().filter((sample) -> sample.expected() && sample.end().isBefore(end)).count();
		recorder.record(part, "throughput", "/s", (double) answered / seconds);
	}

}
