package dev.warmup.bench.variant;

import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class VariantsTests {

	@TempDir
	Path work;

	@Test
	void standInTheOrderOfTheTables() {
		assertThat(all()).extracting(Variant::id)
			.containsExactly("nothing", "one-pass", "fixed-200", "mittens", "mittens-tuned", "aot", "aot-replay",
					"ours", "ours-aot", "ours-replay", "steady");
	}

	@Test
	void noTwoLookTheSameInATable() {
		assertThat(all()).extracting(Variant::title).doesNotHaveDuplicates();
	}

	@Test
	void onlyOursAndItsLimitHaveTheLibraryOn() {
		assertThat(all()).filteredOn((variant) -> !"false".equals(variant.settings().get("WARMUP_ENABLED")))
			.extracting(Variant::id)
			.containsExactly("ours", "ours-aot", "ours-replay", "steady");
	}

	@Test
	void threeWillDoWhenThereIsNoTime() {
		assertThat(all(true)).extracting(Variant::id).containsExactly("nothing", "ours", "steady");
	}

	@Test
	void countsGoFromOnePassToThousandsAndEndWithTheLibrary() {
		assertThat(Variants.counts(Path.of(".."), false)).extracting(Variant::id)
			.containsExactly("fixed-1", "fixed-10", "fixed-200", "fixed-1000", "fixed-5000", "ours");
		assertThat(Variants.counts(Path.of(".."), false)).extracting(Variant::title)
			.startsWith("1 pass", "10 passes")
			.doesNotHaveDuplicates();
		assertThat(Variants.counts(Path.of(".."), true)).extracting(Variant::id)
			.containsExactly("fixed-1", "fixed-10", "fixed-200", "ours");
	}

	private List<Variant> all() {
		return all(false);
	}

	private List<Variant> all(boolean quick) {
		return Variants.all(Path.of(".."), this.work, Path.of(System.getProperty("java.home")), quick);
	}

}
