package dev.warmup.bench.scenario;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.warmup.bench.load.Journey;
import dev.warmup.bench.load.Sample;
import dev.warmup.bench.load.Summary;
import dev.warmup.bench.stack.App;
import dev.warmup.bench.stack.Stack;
import dev.warmup.bench.variant.Site;
import dev.warmup.bench.variant.Variant;

/**
 * The first user: each kind of request for the first time, and the first 100 requests,
 * after everything was started; for {@code nothing} and {@code ours} also after only the
 * service or only the gateway was. {@code steady} adds the medians that multiples refer
 * to.
 */
final class First {

	private static final int FIRST = 100;

	private static final int STEADY_JOURNEYS = 25;

	private First() {
	}

	static void measure(Site site, Variant variant, Recorder recorder) {
		try (Stack stack = variant.start(site, "first")) {
			recorder.seconds("ready", "time", Duration.between(stack.service().started(), Instant.now()));
			recorder.seconds("ready", "cpu", stack.service().cpu().plus(stack.gateway().cpu()));
			users(stack, "everything", recorder);
			noteUnlessWarm(variant, stack.service(), recorder);
			if (variant == Variant.STEADY) {
				steady(stack, recorder);
			}
			else if ((variant == Variant.NOTHING || variant == Variant.OURS) && !site.quick()) {
				restarted(site, variant, stack, stack.service(), "service", recorder);
				restarted(site, variant, stack, stack.gateway(), "gateway", recorder);
			}
		}
	}

	private static void restarted(Site site, Variant variant, Stack stack, App app, String part, Recorder recorder) {
		app.restart();
		variant.prepare(site, stack);
		users(stack, part, recorder);
	}

	/** Lets the first users come, by a client that is warm. */
	static void users(Stack stack, String part, Recorder recorder) {
		Journey journey = new Journey().warmedUp();
		List<Sample> first = Stream.generate(() -> journey.walk(stack.gateway().url("/chat-service")))
			.flatMap(List::stream)
			.limit(FIRST)
			.toList();
		for (Journey.Request request : Journey.REQUESTS) {
			first.stream()
				.filter((sample) -> sample.request().equals(request.name()))
				.findFirst()
				.ifPresent((sample) -> recorder.latency(part, request.name(), sample.latency()));
		}
		recorder.summary(part, first);
	}

	private static void steady(Stack stack, Recorder recorder) {
		Journey journey = new Journey();
		List<Sample> samples = Stream.generate(() -> journey.walk(stack.gateway().url("/chat-service")))
			.limit(STEADY_JOURNEYS)
			.flatMap(List::stream)
			.toList();
		Map<String, List<Sample>> kinds = samples.stream().collect(Collectors.groupingBy(Sample::request));
		kinds.forEach((kind, all) -> recorder.latency("steady", kind, Summary.of(all).p50()));
		recorder.summary("steady", samples);
	}

	static void noteUnlessWarm(Variant variant, App service, Recorder recorder) {
		if (variant.hasLibrary()) {
			String phase = service.get("/actuator/warmup").<String>find("$.phase").orElse("unknown");
			if (!phase.equals("WARM")) {
				recorder.note("the service's phase was " + phase + " when users came");
			}
		}
	}

}
