package dev.warmup.e2e;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import dev.warmup.bench.load.Marks;
import dev.warmup.bench.load.Sample;
import dev.warmup.bench.load.Users;
import dev.warmup.bench.stack.App;
import dev.warmup.bench.stack.Stack;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What users measure while instances join: eight at once, and one without warm-up. */
@Tag("measure")
@Isolated("users are timed")
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class JoinIT {

	private static final Duration WINDOW = Duration.ofSeconds(10);

	private static final int MANY = 8;

	@Test
	void eightInstancesJoinAtOnceAndEachReachesAVerdict() {
		try (Stack stack = Stacks.counted("join-eight", 10, "150s").jvm(Stack.SERVICE, "-Xmx256m").start();
				Users users = users(stack)) {
			Figures.add("before eight instances join", users.during(WINDOW));
			Instant from = Instant.now();
			List<App> newcomers = IntStream.range(0, MANY).mapToObj((i) -> stack.addService()).toList();
			newcomers.forEach((newcomer) -> newcomer.awaitReady(Stacks.SOON.multipliedBy(2)));
			List<Sample> samples = users.since(from);
			Figures.add("eight instances join", samples);
			assertThat(samples).allMatch(Sample::expected);
			assertThat(newcomers)
				.allSatisfy((newcomer) -> assertThat(Stacks.verdicts(newcomer, "STARTUP")).containsOnly("WARM"));
		}
	}

	/**
	 * The control: warm-up is off, and users meet the instance as soon as it registers.
	 */
	@Test
	void plainLoadBalancerSendsUsersToAColdInstance() {
		try (Stack stack = Stacks.defaults("join-plain").clientArgs("--warmup.enabled=false").start();
				Users users = users(stack)) {
			Figures.add("before an instance joins without warm-up", users.during(WINDOW));
			App newcomer = stack.addService();
			await().atMost(Stacks.SOON)
				.until(() -> users.since(newcomer.started()).stream().anyMatch(JoinIT::byNewcomer));
			users.during(WINDOW);
			List<Sample> samples = users.since(newcomer.started());
			Figures.add("an instance joins without warm-up", samples);
			Figures.add("the first answer of an instance without warm-up",
					samples.stream().filter(JoinIT::byNewcomer).limit(1).toList());
		}
	}

	private static Users users(Stack stack) {
		stack.awaitReady(Stacks.SOON);
		Marks.put(stack.service());
		Users users = new Users(stack.gateway().url(Stacks.ROOMS), 20, (answer) -> Marks.find(answer.body()));
		users.during(WINDOW);
		return users;
	}

	private static boolean byNewcomer(Sample sample) {
		return sample.expected() && sample.instance().equals(Marks.NONE);
	}

}
