package dev.warmup.loadbalancer;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The rules of {@link Ramp} with hundreds of simulated instances, whose answers scatter
 * as measured ones do. A cold JVM's latency falls with the square root of its answers:
 * what recorded runs show (docs/decisions/0023-ramp.md).
 */
class RampSimulationTests {

	private static final Duration WINDOW = Duration.ofMinutes(1);

	private static final double WARM_MILLIS = 2;

	/** How many requests a second an instance is sent in the gaps. */
	private static final double REPLAYED = 50;

	private final Random random = new Random(11);

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
	void aNewcomerThatWarmsSoonIsAFullMemberBeforeTheWindowEnds(int instances) {
		Simulation simulation = new Simulation(instances, 1, RampSimulationTests::cached).run(20 * instances, WINDOW);
		assertThat(simulation.instances.get(0).fullAt).isBefore(Instant.EPOCH.plusSeconds(55));
		assertThat(simulation.meanMillis()).isLessThan(WARM_MILLIS * 1.15);
	}

	@ParameterizedTest
	@ValueSource(ints = { 2, 10, 300 })
	void aNewcomerThatWarmsSlowlyGetsMoreAndMoreUsers(int instances) {
		Simulation simulation = new Simulation(instances, 1, RampSimulationTests::cold).run(20 * instances,
				Duration.ofSeconds(20));
		Simulated newcomer = simulation.instances.get(0);
		int before = newcomer.answers;
		assertThat(before).as("not starved").isGreaterThan(5);
		simulation.run(20 * instances, Duration.ofSeconds(39));
		assertThat(newcomer.answers - before).isGreaterThan(4 * before);
		assertThat(simulation.meanMillis()).isLessThan(WARM_MILLIS * 1.3);
	}

	@Test
	@Tag("full")
	void halfOfTheInstancesMayBeNew() {
		Simulation simulation = new Simulation(300, 150, RampSimulationTests::cached).run(6000, WINDOW);
		assertThat(simulation.newcomers()).allSatisfy((each) -> assertThat(each.fullAt).isNotNull());
		assertThat(simulation.meanMillis()).isLessThan(WARM_MILLIS * 1.3);
	}

	@Test
	void whereAllAreNewAllAreUsed() {
		Simulation simulation = new Simulation(100, 100, RampSimulationTests::cold).run(2000, Duration.ofSeconds(20));
		assertThat(simulation.newcomers())
			.allSatisfy((each) -> assertThat(each.answers).as("of 400 each").isBetween(300, 500));
	}

	@Test
	void aNewcomerThatStaysSlowHurtsFewUsersUntilTheWindowEnds() {
		Simulation simulation = new Simulation(2, 1, (answers) -> 10).run(40, Duration.ofSeconds(59));
		Simulated newcomer = simulation.instances.get(0);
		assertThat(newcomer.fullAt).isNull();
		// 15 % of its half on average, of 2360
		assertThat(newcomer.answers).isBetween(80, 260);
	}

	@Test
	void aNewcomerThatGetsSlowerLosesUsers() {
		Simulation simulation = new Simulation(2, 1, (answers) -> (answers < 1000) ? 1.3 : 6).run(40,
				Duration.ofSeconds(15));
		double before = simulation.instances.get(0).ramp.weight(simulation.now);
		assertThat(before).isGreaterThan(0.4);
		simulation.run(40, Duration.ofSeconds(25));
		assertThat(simulation.instances.get(0).ramp.weight(simulation.now)).isLessThan(before / 2);
	}

	@ParameterizedTest
	@ValueSource(doubles = { 2, 3 })
	void weightDoesNotOscillate(double ratio) {
		Simulation simulation = new Simulation(4, 1, (answers) -> ratio).run(200, Duration.ofSeconds(10));
		double expected = 1 / (ratio * ratio);
		for (int i = 0; i < 80; i++) {
			simulation.run(200, Duration.ofMillis(500));
			assertThat(simulation.instances.get(0).ramp.weight(simulation.now)).as("of %.2f".formatted(expected))
				.isBetween(expected / 2, Math.min(1, expected * 2));
		}
	}

	/** An instance; the newcomers first. */
	private final class Simulated {

		final @Nullable Ramp ramp;

		int answers;

		@Nullable Instant fullAt;

		Simulated(@Nullable Ramp ramp) {
			this.ramp = ramp;
		}

	}

	private record Answer(Instant at, Simulated by, Duration latency) {

	}

	private final class Simulation {

		final List<Simulated> instances = new ArrayList<>();

		private final IntToDoubleFunction slower;

		private final int newcomers;

		private final LastLatencies siblings = new LastLatencies();

		private final PriorityQueue<Answer> pending = new PriorityQueue<>(Comparator.comparing(Answer::at));

		private int next;

		private long count;

		private long nanos;

		Instant now = Instant.EPOCH;

		/** The newcomers' latency is so many times a warm one's, by their answers. */
		Simulation(int instances, int newcomers, IntToDoubleFunction slower) {
			this.slower = slower;
			this.newcomers = newcomers;
			IntStream.range(0, instances)
				.forEach((i) -> this.instances
					.add(new Simulated((i < newcomers) ? new Ramp(Instant.EPOCH, WINDOW) : null)));
		}

		List<Simulated> newcomers() {
			return this.instances.subList(0, this.newcomers);
		}

		double meanMillis() {
			return this.nanos / 1e6 / this.count;
		}

		/** Goes on with so many users a second. */
		Simulation run(int users, Duration duration) {
			Instant end = this.now.plus(duration);
			while (this.now.isBefore(end)) {
				answerUntil(this.now);
				send(choose());
				this.now = this.now
					.plusNanos((long) (-Math.log(1 - RampSimulationTests.this.random.nextDouble()) * 1e9 / users));
			}
			return this;
		}

		/** As {@link UserShares} does, with a round robin. */
		private Simulated choose() {
			List<Simulated> chosen = new ArrayList<>();
			boolean full = this.newcomers < this.instances.size();
			for (Simulated newcomer : newcomers()) {
				full |= newcomer.ramp.isOver(this.now);
				if (newcomer.ramp.admits(this.now, RampSimulationTests.this.random.nextDouble())) {
					chosen.add(newcomer);
				}
			}
			List<Simulated> first = full ? chosen : newcomers();
			int index = this.next++ % (first.size() + this.instances.size() - this.newcomers);
			return (index < first.size()) ? first.get(index)
					: this.instances.get(index - first.size() + this.newcomers);
		}

		private void send(Simulated to) {
			int sent = to.answers + (int) (REPLAYED * Duration.between(Instant.EPOCH, this.now).toMillis() / 1000);
			double factor = (to.ramp != null) ? this.slower.applyAsDouble(sent) : 1;
			double scattered = Math.exp(0.4 * RampSimulationTests.this.random.nextGaussian());
			Duration latency = Duration.ofNanos((long) (WARM_MILLIS * factor * scattered * 1e6));
			Answer answer = new Answer(this.now.plus(latency), to, latency);
			if (to.ramp != null) {
				to.ramp.begun(answer, this.now);
			}
			this.pending.add(answer);
		}

		private void answerUntil(Instant time) {
			while (!this.pending.isEmpty() && !this.pending.peek().at().isAfter(time)) {
				Answer answer = this.pending.remove();
				Simulated by = answer.by();
				by.answers++;
				this.count++;
				this.nanos += answer.latency().toNanos();
				if (by.ramp == null || by.fullAt != null) {
					this.siblings.add("rooms", answer.latency());
				}
				if (by.ramp != null) {
					by.ramp.ended(answer);
					by.ramp.answered("rooms", answer.latency(), this.siblings);
					if (by.fullAt == null && by.ramp.isOver(answer.at())) {
						by.fullAt = answer.at();
					}
				}
			}
		}

	}

}
