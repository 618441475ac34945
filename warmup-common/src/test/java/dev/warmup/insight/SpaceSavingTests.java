package dev.warmup.insight;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/** What the paper proves of the algorithm, beside exact counts of random streams. */
class SpaceSavingTests {

	@Test
	void countsAreExactWhileThereAreCountersEnough() {
		SpaceSaving<String> sketch = new SpaceSaving<>(3);
		List.of("a", "b", "a", "c", "a", "b").forEach(sketch::add);
		assertThat(sketch.counted()).containsExactly(new SpaceSaving.Counted<>("a", 3, 0),
				new SpaceSaving.Counted<>("b", 2, 0), new SpaceSaving.Counted<>("c", 1, 0));
	}

	@Test
	void whatHasNoCounterTakesOverTheOneThatCountsLeast() {
		SpaceSaving<String> sketch = new SpaceSaving<>(2);
		List.of("a", "a", "a", "b", "b", "c").forEach(sketch::add);
		assertThat(sketch.counted()).containsExactlyInAnyOrder(new SpaceSaving.Counted<>("a", 3, 0),
				new SpaceSaving.Counted<>("c", 3, 2));
	}

	@Test
	void oneCounterCountsAll() {
		SpaceSaving<Integer> sketch = new SpaceSaving<>(1);
		for (int i = 0; i < 100; i++) {
			sketch.add(i);
		}
		assertThat(sketch.counted()).containsExactly(new SpaceSaving.Counted<>(99, 100, 99));
		assertThat(sketch.counted().get(0).atLeast()).isEqualTo(1);
	}

	@Test
	void sketchWithoutCountersIsNone() {
		assertThatIllegalArgumentException().isThrownBy(() -> new SpaceSaving<>(0));
	}

	@ParameterizedTest
	@MethodSource("streams")
	void boundsHold(String what, int capacity, List<Integer> stream) {
		SpaceSaving<Integer> sketch = new SpaceSaving<>(capacity);
		Map<Integer, Long> exact = new HashMap<>();
		for (int item : stream) {
			sketch.add(item);
			exact.merge(item, 1L, Long::sum);
		}
		List<SpaceSaving.Counted<Integer>> counted = sketch.counted();
		long bound = stream.size() / capacity;
		assertThat(counted).as(what)
			.hasSize(Math.min(capacity, exact.size()))
			.isSortedAccordingTo(
					Comparator.<SpaceSaving.Counted<Integer>>comparingLong(SpaceSaving.Counted::count).reversed())
			.allSatisfy((each) -> {
				assertThat(each.count()).isGreaterThanOrEqualTo(exact.get(each.item()));
				assertThat(each.atLeast()).isBetween(1L, exact.get(each.item()));
				assertThat(each.error()).isBetween(0L, bound);
			});
		assertThat(counted.stream().mapToLong(SpaceSaving.Counted::count).sum()).as("all counts together")
			.isEqualTo(stream.size());
		assertThat(counted).extracting(SpaceSaving.Counted::item)
			.doesNotHaveDuplicates()
			.containsAll(exact.keySet().stream().filter((item) -> exact.get(item) > bound).toList());
	}

	static Stream<Arguments> streams() {
		List<Arguments> streams = new ArrayList<>();
		for (int seed = 0; seed < 20; seed++) {
			int capacity = 1 + new Random(seed).nextInt(64);
			streams.add(arguments("even " + seed, capacity, stream(seed, (random) -> random.nextInt(200))));
			streams.add(arguments("skewed " + seed, capacity,
					stream(seed, (random) -> (int) Math.min(1e6, 1 / (1e-6 + random.nextDouble())))));
			streams.add(arguments("bursts " + seed, capacity,
					stream(seed, (random) -> random.nextInt(10) * random.nextInt(2) * random.nextInt(30))));
		}
		List<Integer> distinct = new ArrayList<>();
		for (int i = 0; i < 5000; i++) {
			distinct.add(i);
		}
		streams.add(arguments("all distinct", 16, distinct));
		streams.add(arguments("nothing", 16, List.of()));
		return streams.stream();
	}

	private static List<Integer> stream(int seed, ToIntFunction<Random> next) {
		Random random = new Random(seed);
		List<Integer> stream = new ArrayList<>();
		int length = random.nextInt(5000);
		for (int i = 0; i < length; i++) {
			stream.add(next.applyAsInt(random));
		}
		return stream;
	}

}
