package dev.warmup.bench;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

import org.junit.jupiter.api.Test;

import dev.warmup.bench.result.Note;
import dev.warmup.bench.result.Results;
import dev.warmup.bench.result.Sample;
import dev.warmup.bench.result.Unit;
import dev.warmup.bench.scenario.Site;
import dev.warmup.bench.schedule.Progress;
import dev.warmup.bench.schedule.Scenario;
import dev.warmup.bench.schedule.Step;
import dev.warmup.bench.stack.Stack;
import dev.warmup.bench.variant.Effort;
import dev.warmup.bench.variant.Variant;

import static org.assertj.core.api.Assertions.assertThat;

class BenchmarkTests {

	private static final Clock CLOCK = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);

	private final Benchmark benchmark = new Benchmark(CLOCK,
			new Progress(CLOCK, new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8)),
			() -> false);

	@Test
	void aVariantThatCannotBeHadIsLeftOutAndSaid() {
		List<Variant> variants = this.benchmark
			.prepared(List.of(variant("nothing", ""), variant("aot", "It needs JDK 25.")));

		assertThat(variants).extracting(Variant::id).containsExactly("nothing");
		Results results = this.benchmark.run(site(variants), Map.of(), Map.of());
		assertThat(results.notes()).containsExactly(new Note("", "aot", "It needs JDK 25."));
		assertThat(results.variants()).containsExactly(Map.entry("nothing", "title of nothing"));
		assertThat(this.benchmark.failures()).isZero();
	}

	@Test
	void aVariantWhosePreparationFailsIsLeftOutAndCounts() {
		Variant broken = new FakeVariant("aot", "") {

			@Override
			public void prepare() {
				throw new IllegalStateException("no cache in /repository/bench/target");
			}

		};

		assertThat(this.benchmark.prepared(List.of(broken))).isEmpty();
		assertThat(this.benchmark.failures()).isOne();
		assertThat(this.benchmark.run(site(List.of()), Map.of(), Map.of()).notes()).containsExactly(
				new Note("", "aot", "It could not be prepared: IllegalStateException: no cache in bench/target"));
	}

	@Test
	void aScenarioThatCannotBeMadeLeavesTheOthersAlone() {
		Map<String, Function<Site, Scenario>> scenarios = new LinkedHashMap<>();
		scenarios.put("idle", (site) -> {
			throw new IllegalArgumentException("there is no variant ours");
		});
		scenarios.put("cost", (site) -> new OneStep());

		Results results = this.benchmark.run(site(List.of()), scenarios, Map.of("cores", "2"));

		assertThat(results.samples()).containsExactly(new Sample("cost", "", "ours", "p50 ratio", Unit.RATIO, 1, 1.01));
		assertThat(results.notes()).extracting(Note::scenario).containsExactly("idle");
		assertThat(results.facts()).containsExactly(Map.entry("cores", "2"));
		assertThat(this.benchmark.failures()).isOne();
	}

	@Test
	void variantsThatOnlyOneScenarioHasAreNamedAfterThoseOfAll() {
		Scenario scenario = new OneStep() {

			@Override
			public Map<String, String> titles() {
				return Map.of("nothing", "another title", "fixed-1", "1 pass");
			}

		};

		Results results = this.benchmark.run(site(List.of(variant("nothing", ""))), Map.of("cost", (site) -> scenario),
				Map.of());

		assertThat(results.variants()).containsExactly(Map.entry("nothing", "title of nothing"),
				Map.entry("fixed-1", "1 pass"));
	}

	private static Site site(List<Variant> variants) {
		Path root = Path.of("/repository");
		return new Site(root, root.resolve("work"), root, variants, true);
	}

	private static Variant variant(String id, String missing) {
		return new FakeVariant(id, missing);
	}

	private static class OneStep implements Scenario {

		@Override
		public String id() {
			return "cost";
		}

		@Override
		public int rounds() {
			return 1;
		}

		@Override
		public List<Step> steps() {
			return List.of(new Step("ours", Duration.ofSeconds(1),
					(recorder) -> recorder.record("", "p50 ratio", Unit.RATIO, 1.01)));
		}

	}

	private static class FakeVariant implements Variant {

		private final String id;

		private final String missing;

		FakeVariant(String id, String missing) {
			this.id = id;
			this.missing = missing;
		}

		@Override
		public String id() {
			return this.id;
		}

		@Override
		public String title() {
			return "title of " + this.id;
		}

		@Override
		public Optional<String> missing() {
			return Optional.of(this.missing).filter((reason) -> !reason.isEmpty());
		}

		@Override
		public Map<String, String> settings() {
			return Map.of();
		}

		@Override
		public Effort warmUp(Stack stack) {
			return Effort.NONE;
		}

	}

}
