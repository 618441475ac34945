package dev.warmup.bench.scenario;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

import dev.warmup.bench.load.Marks;
import dev.warmup.bench.load.Sample;
import dev.warmup.bench.load.Summary;
import dev.warmup.bench.load.Users;
import dev.warmup.bench.report.Charts;
import dev.warmup.bench.stack.App;
import dev.warmup.bench.stack.Stack;
import dev.warmup.bench.variant.Site;
import dev.warmup.bench.variant.Variant;

/**
 * 50 requests a second while a second instance of the service joins, which has a
 * processor of its own where there are two. Seconds count from the moment at which the
 * instance could answer.
 */
final class Join {

	private static final int PER_SECOND = 50;

	/** Longer than any instance takes to become a full member. */
	private static final Duration RAMP = Duration.ofSeconds(75);

	private Join() {
	}

	static void measure(Site site, Variant variant, Recorder recorder) {
		Duration window = Duration.ofSeconds(site.quick() ? 5 : 15);
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
				users.during(window); // until the path and the client are warm
				Instant calm = Instant.now();
				users.during(window);
				Instant joining = Instant.now();
				if (apart) {
					stack.settings().prefix("taskset", "-c", "1");
				}
				App newcomer = stack.addService();
				newcomer.awaitUp(Stack.START);
				Instant ready = Instant.now();
				Instant open = awaitOpen(stack, newcomer);
				Map<Integer, Double> shares = variant.hasLibrary() ? shares(stack, newcomer, ready) : Map.of();
				users.during(window);
				users.finish();
				member(Duration.between(ready, open), shares, recorder);
				record(users.since(calm), joining, open, recorder);
				if (recorder.round() == 1) {
					timeline(users.since(ready), ready, shares, recorder);
				}
			}
		}
	}

	/** Waits until instances are full members: without the library they are at once. */
	static void awaitMembers(Stack stack) {
		stack.services()
			.forEach((service) -> service.await("the end of WARMING and RAMPING", Stack.START,
					() -> !service.get("/actuator/warmup").<String>find("$.phase").orElse("").endsWith("ING")));
	}

	/**
	 * Waits until an instance may take users: Eureka lists it as UP, or its own gate is
	 * open. Returns the last moment at which neither was so.
	 */
	static Instant awaitOpen(Stack stack, App joining) {
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

	/** The instance's share at the gateway by seconds, until it is a full member. */
	private static Map<Integer, Double> shares(Stack stack, App newcomer, Instant ready) {
		Map<Integer, Double> shares = new TreeMap<>();
		Instant end = Instant.now().plus(RAMP);
		while (Instant.now().isBefore(end) && !shares.containsValue(1.0)) {
			int second = second(ready, Instant.now());
			stack.gateway()
				.get("/actuator/metrics/warmup.share?tag=instance:127.0.0.1:" + newcomer.port())
				.<Number>find("$.measurements[0].value") // none before it is RAMPING
				.ifPresent((share) -> shares.put(second, share.doubleValue()));
			App.sleep(Duration.ofSeconds(1));
		}
		return shares;
	}

	/**
	 * Records how long it took the instance to take users, and to become a full member,
	 * which without shares is the same.
	 */
	static void member(Duration open, Map<Integer, Double> shares, Recorder recorder) {
		recorder.seconds("", "until it takes users", open);
		if (!shares.isEmpty() && !shares.containsValue(1.0)) {
			recorder.note("the instance that joined did not become a full member");
			return;
		}
		Duration full = Duration.ofSeconds(shares.keySet().stream().max(Integer::compare).orElse(0));
		recorder.seconds("", "until it is a full member", (full.compareTo(open) > 0) ? full : open);
	}

	private static int second(Instant since, Instant moment) {
		return Math.toIntExact(Duration.between(since, moment).toSeconds());
	}

	static void record(List<Sample> samples, Instant joining, Instant closed, Recorder recorder) {
		recorder.change(joining, samples);
		List<Sample> joined = samples.stream().filter(Join::byNewcomer).toList();
		if (joined.isEmpty()) {
			recorder.note("the instance that joined answered no user");
		}
		recorder.record("", "users too early", "count",
				(double) joined.stream().filter((sample) -> sample.end().isBefore(closed)).count());
	}

	private static boolean byNewcomer(Sample sample) {
		return sample.expected() && sample.instance().equals(Marks.NONE);
	}

	private static void timeline(List<Sample> samples, Instant ready, Map<Integer, Double> shares, Recorder recorder) {
		TreeMap<Integer, Map<String, List<Sample>>> seconds = samples.stream()
			.collect(Collectors.groupingBy((sample) -> second(ready, sample.start()), TreeMap::new,
					Collectors.groupingBy((sample) -> byNewcomer(sample) ? "newcomer" : "sibling")));
		seconds.pollLastEntry(); // not complete
		seconds.forEach((second, instances) -> instances.forEach(
				(instance, within) -> recorder.latency(Charts.SECOND + second, instance, Summary.of(within).p50())));
		shares.forEach((second, share) -> recorder.record(Charts.SECOND + second, "share", "", share));
	}

}
