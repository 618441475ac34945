package dev.warmup.bench;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

import dev.warmup.bench.load.ClientCheck;
import dev.warmup.bench.load.Journey;
import dev.warmup.bench.report.Reports;
import dev.warmup.bench.result.Results;
import dev.warmup.bench.result.Soundness;
import dev.warmup.bench.result.Summary;
import dev.warmup.bench.scenario.Site;
import dev.warmup.bench.schedule.Interruption;
import dev.warmup.bench.schedule.Progress;
import dev.warmup.bench.schedule.Repeated;
import dev.warmup.bench.schedule.Scenario;
import dev.warmup.bench.variant.Variant;
import dev.warmup.bench.variant.Variants;

/** The command line, as {@code bench/run --help} tells it. */
public final class Main {

	private static final int FAILED = 1;

	private static final int WRONG_USAGE = 2;

	private Main() {
	}

	/**
	 * Runs the benchmark, and ends this JVM.
	 * @param words the arguments
	 * @throws IOException when the results cannot be written
	 */
	public static void main(String[] words) throws IOException {
		System.exit(run(List.of(words)));
	}

	private static int run(List<String> words) throws IOException {
		Arguments arguments;
		Places places;
		try {
			arguments = Arguments.parse(words, Scenarios.all().keySet(), Scenarios.usual(), Scenarios.SOON);
			if (arguments.help()) {
				System.out.print(usage());
				return 0;
			}
			places = Places.of(Path.of(""), System.getenv(), arguments.quick(),
					Scenarios.results(arguments.scenarios()));
		}
		catch (IllegalArgumentException ex) {
			System.err.println("bench: " + ex.getMessage() + "\nsee bench/run --help");
			return WRONG_USAGE;
		}
		Files.createDirectories(places.work());
		try (FileChannel file = FileChannel.open(places.work().resolve("lock"), StandardOpenOption.CREATE,
				StandardOpenOption.WRITE); FileLock lock = file.tryLock()) {
			// its stacks have the same homes, and each of both would stop the other's
			if (lock == null) {
				System.err.println("bench: another bench/run is at work in this repository");
				return FAILED;
			}
			return measure(places, arguments);
		}
	}

	private static int measure(Places places, Arguments arguments) throws IOException {
		Progress progress = new Progress(Clock.systemUTC(), System.out);
		Interruption interruption = Interruption.ofThisThread(progress::say);
		Benchmark benchmark = new Benchmark(Clock.systemUTC(), progress, interruption::isRequested);
		Results results;
		try (interruption) {
			boolean quick = arguments.quick();
			Map<String, String> facts = facts(places, quick, progress, benchmark);
			// what runs only by name has variants of its own: no cache need be trained
			// for it
			List<Variant> variants = Scenarios.ONLY_BY_NAME.containsAll(arguments.scenarios()) ? List.of()
					: benchmark.prepared(Variants.all(places.root(), places.work(), places.javaHome(), quick));
			Site site = new Site(places.root(), places.work(), places.javaHome(), variants, quick);
			site.layOut();
			Map<String, Function<Site, Scenario>> chosen = new LinkedHashMap<>(Scenarios.all());
			chosen.keySet().retainAll(arguments.scenarios());
			arguments.rounds()
				.ifPresent((rounds) -> chosen
					.replaceAll((id, scenario) -> (there) -> new Repeated(scenario.apply(there), rounds)));
			results = benchmark.run(site, chosen, facts);
		}
		catch (IllegalStateException ex) {
			if (!interruption.isRequested()) {
				System.err.println("bench: " + ex.getMessage());
			}
			return FAILED;
		}
		if (interruption.isRequested()) {
			return FAILED; // seen by nobody: the signal decides
		}
		Reports.write(results, places.results());
		progress.say("%d figures, %d failures, %d min %d s".formatted(results.samples().size(), benchmark.failures(),
				results.took().toMinutes(), results.took().toSecondsPart()));
		results.notes()
			.forEach((note) -> progress
				.say("  " + String.join(" ", note.scenario(), note.variant(), note.text()).strip()));
		Optional<String> problem = arguments.check() ? Soundness.problem(Summary.of(results)) : Optional.empty();
		problem.ifPresent((text) -> System.err.println("bench: " + text));
		return (benchmark.failures() == 0 && problem.isEmpty()) ? 0 : FAILED;
	}

	private static Map<String, String> facts(Places places, boolean quick, Progress progress, Benchmark benchmark) {
		Map<String, String> facts = Facts.of(places.root(), places.javaHome());
		progress.say("warming the client against a stub");
		ClientCheck.Proof proof = ClientCheck.warm(Journey.through(places.catalog(), "chat-service"),
				Duration.ofSeconds(quick ? 8 : 12));
		facts.putAll(proof.facts());
		proof.notes().forEach(benchmark::note);
		facts.forEach((name, fact) -> progress.say("  " + name + ": " + fact));
		return facts;
	}

	private static String usage() {
		try (InputStream text = Objects.requireNonNull(Main.class.getResourceAsStream("/usage.txt"))) {
			return new String(text.readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
