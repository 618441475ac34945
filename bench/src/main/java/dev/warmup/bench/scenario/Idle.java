package dev.warmup.bench.scenario;

import java.time.Duration;

import dev.warmup.bench.load.Journey;
import dev.warmup.bench.stack.App;
import dev.warmup.bench.stack.Stack;
import dev.warmup.bench.variant.Site;
import dev.warmup.bench.variant.Variant;

/**
 * The first user after an idle time in which connections were closed, with the library's
 * re-warm and without it.
 */
final class Idle {

	private static final Duration IDLE = Duration.ofSeconds(15);

	private Idle() {
	}

	static void measure(Site site, Variant variant, Recorder recorder) {
		measure(site, variant, "left alone", "0", recorder);
		measure(site, variant, "re-warmed", IDLE.toSeconds() + "s", recorder);
	}

	private static void measure(Site site, Variant variant, String part, String rewarmAfter, Recorder recorder) {
		String[] arguments = { "--warmup.idle.after=" + rewarmAfter, "--warmup.idle.check-every=1s",
				"--warmup.idle.jitter=0", "--server.netty.idle-timeout=5s",
				"--spring.cloud.gateway.server.webflux.httpclient.pool.max-idle-time=5s" };
		try (Stack stack = variant.start(site, "idle", (builder) -> builder.clientArgs(arguments))) {
			new Journey().closedLoop(stack.gateway().url("/chat-service"), 8,
					Duration.ofSeconds(site.quick() ? 5 : 15));
			if (rewarmAfter.equals("0")) {
				App.sleep(IDLE);
			}
			else {
				App service = stack.service();
				service.await("the re-warm", Stack.START, () -> {
					App.sleep(Duration.ofSeconds(1));
					return service.get("/actuator/warmup").find("$.runs[0].trigger").filter("IDLE"::equals).isPresent();
				});
			}
			First.users(stack, part, recorder);
		}
	}

}
