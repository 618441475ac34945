package dev.warmup.bench.scenario;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import dev.warmup.bench.load.Marks;
import dev.warmup.bench.load.Sample;
import dev.warmup.bench.load.Users;
import dev.warmup.bench.stack.App;
import dev.warmup.bench.stack.Stack;
import dev.warmup.bench.stack.Site;
import dev.warmup.bench.stack.Variant;

/**
 * 50 requests a second while a second instance of the service joins, which has a
 * processor of its own where there are two. Times count from the moment at which the
 * instance could answer.
 */
final class Join {

	private static final Duration WINDOW = Duration.ofSeconds(15);

	private static final int PER_SECOND = 50;

	/** Until a gateway and its services, and the client, are about as fast as ever. */
	private static final Duration LOAD = Duration.ofSeconds(30);

	/** Longer than any instance takes to become a full member. */
	private static final Duration RAMP = Duration.ofSeconds(75);

	private Join() {
	}

	static void measure(Site site, Variant variant, Recorder recorder) {
		boolean apart = Runtime.getRuntime().availableProcessors() > 1 && Files.exists(Path.of("/usr/bin/taskset"));
		if (!apart) {
			recorder.note("the instance that joined had no processor of its own");
		}
		try (Stack stack = variant.start(site, "join", (builder) -> {
			if (apart) {
				builder.prefix("taskset", "-c", "0");
			}
		})) {
			awaitMembers(stack);
			Marks.put(stack.service());
			try (Users users = new Users(stack.gateway().url("/chat-service/rooms"), PER_SECOND,
					(answer) -> Marks.find(answer.body()))) {
				users.during(WINDOW); // until the path and the client are warm
				Instant calm = Instant.now();
				users.during(WINDOW);
				Instant joining = Instant.now();
				if (apart) {
					stack.settings().prefix("taskset", "-c", "1");
				}
				App newcomer = stack.addService();
				newcomer.awaitUp(Stack.START);
				Instant ready = Instant.now();
				Instant open = awaitOpen(stack, newcomer);
				recorder.seconds("", "until it takes users", Duration.between(ready, open));
				if (variant.hasLibrary() && variant != Variant.NO_SHARE) {
					recorder.seconds("", "until it is a full member",
							Duration.between(ready, awaitFullShare(stack, newcomer)));
				}
				users.during(WINDOW);
				users.finish();
				record(users.since(calm), joining, open, recorder);
			}
		}
	}

	/**
	 * 100 requests a second while three instances that have served for a while are
	 * replaced one after the other: each stops when its successor takes users. The
	 * processor time is that of the gateway and of the successors.
	 */
	static void measureDeploy(Site site, Variant variant, Recorder recorder) {
		try (Stack stack = variant.start(site, "deploy", (builder) -> builder.services(3))) {
			awaitMembers(stack);
			List<App> old = stack.services();
			String rooms = stack.gateway().url("/chat-service/rooms");
			try (Users many = new Users(rooms, 6 * PER_SECOND, (answer) -> "")) {
				many.during(LOAD);
				many.finish();
			}
			try (Users users = new Users(rooms, 2 * PER_SECOND, (answer) -> "")) {
				Instant calm = Instant.now();
				users.during(WINDOW);
				Instant begin = Instant.now();
				Duration before = stack.gateway().cpu();
				for (App each : old) {
					awaitOpen(stack, stack.addService());
					each.stop(Duration.ofMinutes(1));
				}
				Instant end = Instant.now();
				users.during(WINDOW);
				Duration cpu = stack.gateway().cpu().minus(before);
				for (App successor : stack.services().subList(old.size(), stack.services().size())) {
					cpu = cpu.plus(successor.cpu());
				}
				users.finish();
				recorder.seconds("", "wall", Duration.between(begin, end));
				recorder.seconds("", "cpu", cpu);
				recorder.change(begin, users.since(calm));
			}
		}
	}

	/** Waits until no instance is WARMING: without the library none is. */
	private static void awaitMembers(Stack stack) {
		stack.services()
			.forEach((service) -> service.await("the end of WARMING", Stack.START,
					() -> !service.get("/actuator/warmup").<String>find("$.phase").orElse("").equals("WARMING")));
	}

	/**
	 * Waits until an instance may take users: Eureka lists it as UP, or its own gate is
	 * open. Returns the last moment at which neither was so.
	 */
	private static Instant awaitOpen(Stack stack, App joining) {
		Instant[] closed = { Instant.now() };
		String instance = "/eureka/apps/CHAT-SERVICE/127.0.0.1:" + joining.port();
		joining.await("registration", Stack.START, () -> {
			Instant asked = Instant.now();
			boolean open = stack.registry().get(instance).body().contains("<status>UP</status>")
					|| joining.get("/.warmup/ready").status() == 200;
			if (!open) {
				closed[0] = asked;
			}
			return open;
		});
		return closed[0];
	}

	/** Waits until the gateway gives an instance the share of a full member. */
	private static Instant awaitFullShare(Stack stack, App newcomer) {
		String share = "/actuator/metrics/warmup.share?tag=instance:127.0.0.1:" + newcomer.port();
		newcomer.await("its full share", RAMP,
				() -> stack.gateway()
					.get(share)
					.<Number>find("$.measurements[0].value")
					.filter((value) -> value.doubleValue() >= 1)
					.isPresent());
		return Instant.now();
	}

	static void record(List<Sample> samples, Instant joining, Instant closed, Recorder recorder) {
		recorder.change(joining, samples);
		List<Sample> joined = samples.stream()
			.filter((sample) -> sample.expected() && sample.instance().equals(Marks.NONE))
			.toList();
		if (joined.isEmpty()) {
			recorder.note("the instance that joined answered no user");
		}
		recorder.record("", "users too early", "count",
				(double) joined.stream().filter((sample) -> sample.end().isBefore(closed)).count());
	}

}
