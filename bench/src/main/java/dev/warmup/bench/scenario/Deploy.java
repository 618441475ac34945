package dev.warmup.bench.scenario;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import dev.warmup.bench.load.Users;
import dev.warmup.bench.stack.App;
import dev.warmup.bench.stack.Stack;
import dev.warmup.bench.variant.Site;
import dev.warmup.bench.variant.Variant;

/**
 * 100 requests a second while three instances are replaced one after the other: each
 * stops when its successor takes users.
 */
final class Deploy {

	private static final int PER_SECOND = 100;

	private static final Duration STOP = Duration.ofMinutes(1);

	private Deploy() {
	}

	static void measure(Site site, Variant variant, Recorder recorder) {
		Duration window = Duration.ofSeconds(site.quick() ? 5 : 15);
		try (Stack stack = variant.start(site, "deploy", (builder) -> builder.services(3))) {
			Join.awaitMembers(stack);
			List<App> old = stack.services();
			try (Users users = new Users(stack.gateway().url("/chat-service/rooms"), PER_SECOND, (answer) -> "")) {
				users.during(window); // until the path and the client are warm
				Instant calm = Instant.now();
				users.during(window);
				Instant begin = Instant.now();
				for (App each : old) {
					Join.awaitOpen(stack, stack.addService());
					each.stop(STOP);
				}
				Instant end = Instant.now();
				users.during(window);
				users.finish();
				recorder.seconds("", "wall", Duration.between(begin, end));
				recorder.change(begin, users.since(calm));
			}
		}
	}

}
