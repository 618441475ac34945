package dev.warmup.bench.scenario;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.warmup.bench.scenario.Pair.Window;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PairTests {

	private static final Window ON = new Window(90, Duration.ofMillis(11), Optional.of(Duration.ofMillis(3)));

	private static final Window OFF = new Window(100, Duration.ofMillis(10), Optional.of(Duration.ofMillis(2)));

	private final List<String> order = new ArrayList<>();

	@Test
	void eachSecondPairBeginsWithTheOtherSide() {
		List<Pair> pairs = Pair.measure(3, () -> note("on", ON), () -> note("off", OFF));
		assertThat(this.order).containsExactly("on", "off", "off", "on", "on", "off");
		assertThat(pairs).hasSize(3).containsOnly(new Pair(ON, OFF));
	}

	@Test
	void ratiosAreThoseOfWithToWithout() {
		Pair pair = new Pair(ON, OFF);
		assertThat(pair.throughput()).isEqualTo(0.9);
		assertThat(pair.latency()).isEqualTo(1.1);
		assertThat(pair.cpu()).hasValue(1.5);
	}

	@Test
	void anUnknownProcessorTimeHasNoRatio() {
		assertThat(new Pair(ON, new Window(1, Duration.ofMillis(1), Optional.empty())).cpu()).isEmpty();
	}

	private Window note(String side, Window window) {
		this.order.add(side);
		return window;
	}

}
