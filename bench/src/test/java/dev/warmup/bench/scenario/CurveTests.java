package dev.warmup.bench.scenario;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.warmup.bench.schedule.Step;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CurveTests {

	private static final Path ROOT = Path.of("..");

	@Test
	void fiveRoundsBringFiveFreshStartsOfEachCount() {
		Curve curve = curve(false);
		assertThat(curve.rounds()).isEqualTo(5);
		assertThat(curve.steps()).extracting(Step::variant)
			.containsExactly("fixed-1", "fixed-10", "fixed-200", "fixed-1000", "fixed-5000", "ours");
		assertThat(curve(true).rounds()).isOne();
		assertThat(curve(true).steps()).hasSize(4);
	}

	@Test
	void variantsAreNamedInTheOrderOfTheTables() {
		assertThat(curve(true).titles()).containsExactly(Map.entry("fixed-1", "1 pass"),
				Map.entry("fixed-10", "10 passes"), Map.entry("fixed-200", "200 passes"), Map.entry("ours", "ours"));
	}

	@Test
	void theWayToTheSteadyStateIsExpectedOfTheLongestCountOnly() {
		Curve curve = new Curve(new Site(ROOT, ROOT, ROOT, List.of(), false),
				List.of(new SomeVariant("a"), new SomeVariant("b"), new SomeVariant("c")));
		List<Duration> expected = curve.steps().stream().map(Step::expected).toList();
		assertThat(expected.get(2)).isEqualTo(expected.get(0));
		assertThat(expected.get(1).minus(expected.get(0))).as("five minutes in two rounds of five")
			.isEqualTo(Duration.ofMinutes(2));
	}

	private static Curve curve(boolean quick) {
		return new Curve(new Site(ROOT, ROOT, ROOT, List.of(), quick));
	}

}
