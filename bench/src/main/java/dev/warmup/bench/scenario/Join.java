package dev.warmup.bench.scenario;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import dev.warmup.bench.load.Marks;
import dev.warmup.bench.load.Sample;
import dev.warmup.bench.load.Summary;
import dev.warmup.bench.load.Users;
import dev.warmup.bench.stack.App;
import dev.warmup.bench.stack.Stack;
import dev.warmup.bench.variant.Site;
import dev.warmup.bench.variant.Variant;

/** 50 requests a second while a second instance of the service joins. */
final class Join implements Scenario {

	private static final int PER_SECOND = 50;

	@Override
	public String id() {
		return "join";
	}

	@Override
	public Set<Variant> variants() {
		return EnumSet.of(Variant.NOTHING, Variant.OURS);
	}

	@Override
	public void measure(Site site, Variant variant, Recorder recorder) {
		Duration window = Duration.ofSeconds(site.quick() ? 5 : 20);
		try (Stack stack = variant.start(site, id())) {
			Marks.put(stack.service());
			try (Users users = Users.start(stack.gateway().url("/chat-service/rooms"), PER_SECOND,
					(answer) -> Marks.find(answer.body()))) {
				users.during(window); // until the path and the client are warm
				Instant calm = Instant.now();
				users.during(window);
				Instant joining = Instant.now();
				Instant closed = awaitOpen(stack, stack.addService());
				recorder.seconds("", "until it takes users", Duration.between(joining, closed));
				users.during(window);
				users.finish();
				record(users.since(calm), joining, closed, recorder);
			}
		}
	}

	/**
	 * Waits until an instance may take users: Eureka lists it as UP, or its own gate is
	 * open.
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

	static void record(List<Sample> samples, Instant joining, Instant closed, Recorder recorder) {
		List<Sample> before = samples.stream().filter((sample) -> sample.start().isBefore(joining)).toList();
		List<Sample> around = samples.stream().filter((sample) -> !sample.start().isBefore(joining)).toList();
		recorder.latency("", "p99 before", Summary.of(before).p99());
		recorder.summary("", around);
		List<Sample> joined = around.stream()
			.filter((sample) -> sample.expected() && sample.instance().equals(Marks.NONE))
			.toList();
		if (joined.isEmpty()) {
			recorder.note("the instance that joined answered no user");
		}
		recorder.record("", "users too early", "count",
				(double) joined.stream().filter((sample) -> sample.end().isBefore(closed)).count());
	}

}
