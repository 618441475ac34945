package dev.warmup.bench;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

import dev.warmup.bench.process.FixedWork;
import dev.warmup.bench.result.Note;
import dev.warmup.bench.result.Results;
import dev.warmup.bench.scenario.Site;
import dev.warmup.bench.schedule.Cause;
import dev.warmup.bench.schedule.Findings;
import dev.warmup.bench.schedule.Progress;
import dev.warmup.bench.schedule.Runner;
import dev.warmup.bench.schedule.Scenario;
import dev.warmup.bench.variant.Variant;

/** One run from its preparations to its results. For one use. */
final class Benchmark {

	/** Two short of what a full run may take: estimates err, and it has to be built. */
	private static final Duration LIMIT = Duration.ofMinutes(38);

	private final Clock clock;

	private final Instant begin;

	private final Progress progress;

	private final BooleanSupplier stopped;

	private final List<Note> notes = new ArrayList<>();

	private int failures;

	/**
	 * Begins to count the time.
	 * @param clock tells the time
	 * @param progress told of what is being done
	 * @param stopped whether to begin nothing more
	 */
	Benchmark(Clock clock, Progress progress, BooleanSupplier stopped) {
		this.clock = clock;
		this.begin = clock.instant();
		this.progress = progress;
		this.stopped = stopped;
	}

	/**
	 * Keeps something that readers of the results should know.
	 * @param text a sentence
	 */
	void note(String text) {
		this.notes.add(new Note("", "", text));
	}

	/**
	 * Prepares the variants that can be had; why others cannot is noted.
	 * @param variants all variants
	 * @return those that can be had, in the same order
	 */
	List<Variant> prepared(List<Variant> variants) {
		List<Variant> prepared = new ArrayList<>();
		for (Variant variant : variants) {
			Optional<String> missing = variant.missing();
			missing.ifPresent((reason) -> leaveOut(variant, reason));
			if (missing.isEmpty() && !this.stopped.getAsBoolean()) {
				this.progress.say("preparing " + variant.id());
				try {
					variant.prepare();
					prepared.add(variant);
				}
				catch (RuntimeException ex) {
					this.failures++;
					leaveOut(variant, "It could not be prepared: " + Cause.of(ex));
				}
			}
		}
		return List.copyOf(prepared);
	}

	private void leaveOut(Variant variant, String reason) {
		this.progress.say("without " + variant.id() + ": " + reason);
		this.notes.add(new Note("", variant.id(), reason));
	}

	/**
	 * Measures.
	 * @param site where
	 * @param scenarios what, by ids
	 * @param facts the machine, for the results
	 * @return what came of it
	 */
	Results run(Site site, Map<String, Function<Site, Scenario>> scenarios, Map<String, String> facts) {
		List<Scenario> made = new ArrayList<>();
		scenarios.forEach((id, scenario) -> {
			try {
				made.add(scenario.apply(site));
			}
			catch (RuntimeException ex) {
				this.failures++;
				this.progress.failed(id, ex);
				this.notes.add(new Note(id, "", "Not measured: " + Cause.of(ex)));
			}
		});
		Findings findings = new Runner(this.progress, this.stopped, LIMIT, new FixedWork()::cpu).run(made);
		this.failures += findings.failures();
		this.notes.addAll(findings.notes());
		Map<String, String> titles = new LinkedHashMap<>();
		site.variants().forEach((variant) -> titles.put(variant.id(), variant.title()));
		made.forEach((scenario) -> scenario.titles().forEach(titles::putIfAbsent));
		return new Results(this.begin, Duration.between(this.begin, this.clock.instant()), site.quick(), facts, titles,
				findings.samples(), this.notes.stream().map((note) -> withoutPlace(note, site)).toList());
	}

	/**
	 * Results are published: where the repository lies on this machine is nobody's
	 * business.
	 */
	private static Note withoutPlace(Note note, Site site) {
		return new Note(note.scenario(), note.variant(),
				note.text().replace(site.root() + "/", "").replace(site.root().toString(), "."));
	}

	/**
	 * How many preparations, scenarios and steps failed.
	 * @return the number so far
	 */
	int failures() {
		return this.failures;
	}

}
