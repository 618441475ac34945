package dev.warmup.loadbalancer;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.IntToDoubleFunction;

import dev.warmup.MutableClock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.cloud.client.DefaultServiceInstance;
import org.springframework.cloud.client.ServiceInstance;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * {@link UserShares} with up to hundreds of simulated instances, whose answers scatter as
 * measured ones do. A cold JVM's latency falls with the square root of its answers: what
 * recorded runs show (docs/decisions/0023-ramp.md).
 */
class RampSimulationTests {

	private static final Duration WINDOW = Duration.ofMinutes(1);

	private static final double WARM_MILLIS = 2;

	/** How many requests a second an instance is sent in the gaps. */
	private static final double REPLAYED = 50;

	private final MutableClock clock = new MutableClock();

	private final Random random = new Random(11);

	private final UserShares shares = new UserShares(this.clock, WINDOW, this.random::nextDouble);

	private final List<ServiceInstance> instances = new ArrayList<>();

	private final List<Simulated> newcomers = new ArrayList<>();

	/** How many times a warm one's latency a newcomer's is, by its answers. */
	private IntToDoubleFunction slower = RampSimulationTests::cached;

	private final PriorityQueue<Answer> pending = new PriorityQueue<>(Comparator.comparing(Answer::at));

	private int next;

	private long count;

	private long nanos;

	/** Ten times as slow at first, and for long not as fast as the others. */
	private static double cold(int answers) {
		return 1 + 9 / Math.sqrt(1 + answers / 5.0);
	}

	/** Ten times as slow at first, and soon as fast as the others. */
	private static double cached(int answers) {
		return 1 + 9 * Math.exp(-answers / 50.0);
	}

	@ParameterizedTest
	@ValueSource(ints = { 2, 10, 300 })
	void aNewcomerThatWarmsSoonIsAFullMemberBeforeTheWindowEnds(int count) {
		start(count, 1, RampSimulationTests::cached);
		run(20 * count, Duration.ofSeconds(55));
		assertThat(this.shares.isIdle()).isTrue();
		run(20 * count, Duration.ofSeconds(5));
		assertThat(meanMillis()).isLessThan(WARM_MILLIS * 1.15);
	}

	@ParameterizedTest
	@ValueSource(ints = { 2, 10, 300 })
	void aNewcomerThatWarmsSlowlyGetsMoreAndMoreUsers(int count) {
		start(count, 1, RampSimulationTests::cold);
		run(20 * count, Duration.ofSeconds(20));
		int before = this.newcomers.get(0).answers;
		assertThat(before).as("not starved").isGreaterThan(5);
		run(20 * count, Duration.ofSeconds(39));
		assertThat(this.newcomers.get(0).answers - before).isGreaterThan(4 * before);
		assertThat(meanMillis()).isLessThan(WARM_MILLIS * 1.3);
	}

	@Test
	@Tag("full")
	void halfOfTheInstancesMayBeNew() {
		start(300, 150, RampSimulationTests::cached);
		run(6000, Duration.ofSeconds(59));
		assertThat(this.shares.isIdle()).isTrue();
		assertThat(meanMillis()).isLessThan(WARM_MILLIS * 1.3);
	}

	@Test
	void whereAllAreNewAllAreUsed() {
		start(100, 100, RampSimulationTests::cold);
		run(2000, Duration.ofSeconds(20));
		assertThat(this.newcomers).allSatisfy((each) -> assertThat(each.answers).as("of 400 each").isBetween(300, 500));
	}

	@Test
	void aNewcomerThatStaysSlowHurtsFewUsersUntilTheWindowEnds() {
		start(2, 1, (answers) -> 10);
		run(40, Duration.ofSeconds(59));
		assertThat(weight()).isLessThan(1);
		// 15 % of its half on average, of 2360
		assertThat(this.newcomers.get(0).answers).isBetween(80, 260);
	}

	@Test
	void aNewcomerThatGetsSlowerLosesUsers() {
		start(2, 1, (answers) -> (answers < 1000) ? 1.3 : 6);
		run(40, Duration.ofSeconds(15));
		double before = weight();
		assertThat(before).isGreaterThan(0.4);
		run(40, Duration.ofSeconds(25));
		assertThat(weight()).isLessThan(before / 2);
	}

	@ParameterizedTest
	@ValueSource(doubles = { 2, 3 })
	void weightDoesNotOscillate(double ratio) {
		start(4, 1, (answers) -> ratio);
		run(200, Duration.ofSeconds(10));
		double expected = 1 / (ratio * ratio);
		for (int i = 0; i < 80; i++) {
			run(200, Duration.ofMillis(500));
			assertThat(weight()).as("of %.2f".formatted(expected)).isBetween(expected / 2, Math.min(1, expected * 2));
		}
	}

	/** Starts so many instances, of which the first ones are new. */
	private void start(int count, int newcomers, IntToDoubleFunction slower) {
		this.slower = slower;
		for (int i = 0; i < count; i++) {
			Simulated instance = new Simulated("instance-" + i, i < newcomers);
			this.instances.add(instance);
			if (instance.isNew) {
				this.newcomers.add(instance);
				this.shares.begin(instance);
			}
		}
	}

	private double weight() {
		return this.shares.of(this.newcomers.get(0).getInstanceId());
	}

	private double meanMillis() {
		return this.nanos / 1e6 / this.count;
	}

	/** Goes on with so many users a second, and a round robin. */
	private void run(int users, Duration duration) {
		Instant end = this.clock.instant().plus(duration);
		while (this.clock.instant().isBefore(end)) {
			List<ServiceInstance> among = this.shares.among(this.instances);
			send((Simulated) among.get(this.next++ % among.size()));
			answerUntil(this.clock.instant().plusNanos((long) (-Math.log(1 - this.random.nextDouble()) * 1e9 / users)));
		}
	}

	private void send(Simulated to) {
		Instant now = this.clock.instant();
		int sent = to.answers + (int) (REPLAYED * Duration.between(MutableClock.START, now).toMillis() / 1000);
		double factor = to.isNew ? this.slower.applyAsDouble(sent) : 1;
		double scattered = Math.exp(0.4 * this.random.nextGaussian());
		Duration latency = Duration.ofNanos((long) (WARM_MILLIS * factor * scattered * 1e6));
		this.pending.add(new Answer(now.plus(latency), to, latency, this.shares.waiting(to, "rooms")));
	}

	private void answerUntil(Instant time) {
		while (!this.pending.isEmpty() && !this.pending.peek().at().isAfter(time)) {
			Answer answer = this.pending.remove();
			moveTo(answer.at());
			answer.waiting().answered(false);
			answer.by().answers++;
			this.count++;
			this.nanos += answer.latency().toNanos();
		}
		moveTo(time);
	}

	private void moveTo(Instant time) {
		this.clock.advance(Duration.between(this.clock.instant(), time));
	}

	private static final class Simulated extends DefaultServiceInstance {

		private final boolean isNew;

		private int answers;

		Simulated(String id, boolean isNew) {
			super(id, "chat", "localhost", 8080, false);
			this.isNew = isNew;
		}

	}

	private record Answer(Instant at, Simulated by, Duration latency, UserShares.Waiting waiting) {

	}

}
