package dev.warmup.bench.scenario;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import dev.warmup.bench.schedule.Step;
import dev.warmup.bench.variant.Variant;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ExpectedTests {

	private static final String[] ALL = { "nothing", "one-pass", "fixed-200", "mittens", "mittens-tuned", "aot",
			"aot-replay", "ours", "ours-aot", "ours-replay", "steady" };

	@Test
	void everyVariantThatCanBeHadTakesItsTurn() {
		assertThat(new First(site(false, ALL)).steps()).extracting(Step::variant).containsExactly(ALL);
		assertThat(new Burst(site(false, ALL)).steps()).extracting(Step::variant)
			.containsExactlyElementsOf(
					Stream.of(ALL).filter((id) -> !Set.of("one-pass", "mittens-tuned").contains(id)).toList());
	}

	@Test
	void aVariantWhoseServicesAreRestartedTakesLonger() {
		List<Step> steps = new First(site(false, "nothing", "aot")).steps();
		assertThat(steps.get(0).expected()).isGreaterThan(steps.get(1).expected());
	}

	@Test
	void quickMeansOneRound() {
		assertThat(new First(site(true)).rounds()).isOne();
		assertThat(new First(site(true, "ours")).stepsInTime()).isEmpty();
		assertThat(new Burst(site(true)).rounds()).isOne();
		assertThat(new Burst(site(false)).rounds()).isOne();
	}

	@Test
	void whatDecidesGoalsIsRepeatedFirstAndWithoutRestarts() {
		First first = new First(site(false, "nothing", "aot", "fixed-200", "ours", "ours-replay"));
		assertThat(first.stepsInTime()).extracting(Step::variant)
			.containsExactly("ours", "fixed-200", "ours-replay", "nothing");
		assertThat(first.stepsInTime().get(0).expected()).isLessThan(first.steps().get(3).expected());
	}

	private static Site site(boolean quick, String... variants) {
		return new Site(Path.of("."), Path.of("."), Path.of("."),
				Stream.of(variants).<Variant>map(SomeVariant::new).toList(), quick);
	}

}
