package dev.warmup.bench.scenario;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

import dev.warmup.bench.load.Journey;
import dev.warmup.bench.load.Sample;
import dev.warmup.bench.stack.App;
import dev.warmup.bench.stack.Stack;
import dev.warmup.bench.stack.Site;
import dev.warmup.bench.stack.Variant;

/**
 * The first users, who come as soon as service and gateway are ready, after everything
 * was started, or only the service or the gateway was started again. Their client is warm
 * before that: a gap would let a run go on.
 */
final class First {

	private static final int FIRST = 100;

	private First() {
	}

	static void measure(Site site, Variant variant, Recorder recorder) {
		Journey journey = new Journey().warmedUp();
		try (Stack stack = variant.start(site, "first")) {
			recorder.seconds("until ready", "time", Duration.between(stack.service().started(), Instant.now()));
			recorder.seconds("until ready", "cpu", stack.service().cpu().plus(stack.gateway().cpu()));
			users(journey, stack, "first 100", recorder);
		}
	}

	static void measureRestarts(Site site, Variant variant, Recorder recorder) {
		Journey journey = new Journey().warmedUp();
		try (Stack stack = variant.start(site, "restart")) {
			for (App app : List.of(stack.service(), stack.gateway())) {
				String part = (app == stack.service()) ? "service" : "gateway";
				app.restart();
				variant.prepare(stack);
				recorder.seconds(part, "time until ready", Duration.between(app.started(), Instant.now()));
				users(journey, stack, part, recorder);
			}
		}
	}

	/**
	 * 50 users at the moment the stack is ready, each with the next request after the
	 * answer to the last: what they see in the first 1, 2 and 10 s.
	 */
	static void measureBurst(Site site, Variant variant, Recorder recorder) {
		Journey journey = new Journey().warmedUp();
		try (Stack stack = variant.start(site, "burst")) {
			Instant begin = Instant.now();
			List<Sample> samples = journey.closedLoop(stack.gateway().url("/chat-service"), 50, Duration.ofSeconds(10));
			List.of(1, 2, 10).forEach((seconds) -> recordBurst(samples, begin, seconds, recorder));
		}
	}

	/**
	 * Latency counts for requests that began in the window, since the slowest end later;
	 * throughput for those that ended in it, as expected.
	 */
	static void recordBurst(List<Sample> samples, Instant begin, int seconds, Recorder recorder) {
		String part = seconds + " s";
		Instant end = begin.plusSeconds(seconds);
		recorder.summary(part, samples.stream().filter((sample) -> sample.start().isBefore(end)).toList());
		long answered = samples.stream().filter((sample) -> sample.expected() && sample.end().isBefore(end)).count();
		recorder.record(part, "throughput", "/s", (double) answered / seconds);
	}

	private static void users(Journey journey, Stack stack, String part, Recorder recorder) {
		recorder.summary(part,
				Stream.generate(() -> journey.walk(stack.gateway().url("/chat-service")))
					.flatMap(List::stream)
					.limit(FIRST)
					.toList());
	}

}
