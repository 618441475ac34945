package dev.warmup.bench.report;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.warmup.bench.result.Figure;
import dev.warmup.bench.result.Kinds;
import dev.warmup.bench.result.Numbers;
import dev.warmup.bench.result.Results;
import dev.warmup.bench.result.Series;
import dev.warmup.bench.result.Summary;

/** What the repository's README shows of a run. */
final class ReadmeBlock {

	private static final List<String> SHOWN = List.of("nothing", "one-pass", "fixed-200", "mittens", "ours", "steady");

	private static final List<String> CACHES = List.of("nothing", "aot", "aot-replay", "ours", "ours-aot",
			"ours-replay");

	private static final List<String> FACTS = List.of("commit", "cores", "cpu", "memory", "jdk", "os");

	private static final String NONE = "–";

	private final Results results;

	private final Summary summary;

	private ReadmeBlock(Results results) {
		this.results = results;
		this.summary = Summary.of(results);
	}

	/**
	 * Writes it.
	 * @param results the run
	 * @param directory where its results are, as seen from the README
	 * @return Markdown, without the markers
	 */
	static String of(Results results, String directory) {
		return new ReadmeBlock(results).write(directory);
	}

	private String write(String directory) {
		Drawing chart = new FirstChart();
		String image = chart.draw(this.summary).isEmpty() ? ""
				: "\n![%s](%s/%s)\n".formatted(chart.title(), directory, chart.file());
		return users() + image + join() + caches() + """

				%s on %s%s. Medians [range] of fresh starts, by turns in one run; all figures, the goals that are met \
				and missed, and the samples: [%s](%s/README.md).
				""".formatted(this.results.quick() ? "`bench/run --quick`" : "`bench/run`",
				this.results.startedAt().toString().substring(0, 10), facts(), directory, directory);
	}

	private String users() {
		Kinds kinds = new Kinds(this.summary, "first", "everything");
		List<List<String>> rows = SHOWN.stream()
			.filter((variant) -> Stream.of(kinds.part(), "1 s")
				.anyMatch((part) -> Stream.of("first", "burst")
					.anyMatch((scenario) -> this.summary.variants(scenario, part).contains(variant))))
			.map((variant) -> List.of(this.summary.title(variant), worst(kinds, variant),
					figure(kinds.series(variant, "p50 of 100")), figure(kinds.series(variant, "p99 of 100")),
					figure(burst(variant, "p99")), figure(burst(variant, "throughput"))))
			.toList();
		return rows.isEmpty() ? "" : Markdown.table(List.of("", "worst first request, against steady", "first 100: p50",
				"p99", "50 at once, first second: p99", "throughput"), rows);
	}

	private String worst(Kinds kinds, String variant) {
		return kinds.worst(variant)
			.map((worst) -> "%s: %s, **%s**".formatted(worst.getKey(), figure(kinds.series(variant, worst.getKey())),
					Numbers.ratio(worst.getValue())))
			.orElse(NONE);
	}

	private static Series burst(String variant, String metric) {
		return new Series("burst", "1 s", variant, metric);
	}

	private String join() {
		String part = this.summary.parts("join").stream().findFirst().orElse("");
		List<String> metrics = List.of("p99 before", "p99 around", "max around", "errors",
				"users at an instance that is not UP");
		List<List<String>> rows = this.summary.variants("join", part)
			.stream()
			.map((variant) -> Stream
				.concat(Stream.of(this.summary.title(variant)),
						metrics.stream().map((metric) -> figure(new Series("join", part, variant, metric))))
				.toList())
			.toList();
		return rows.isEmpty() ? "" : "\nWhile a second instance joins, at 50 requests a second:\n\n"
				+ Markdown.table(Stream.concat(Stream.of(""), metrics.stream()).toList(), rows);
	}

	/**
	 * What a cache of the JVM brings, alone and with the warm-up; nothing without one.
	 */
	private String caches() {
		Kinds kinds = new Kinds(this.summary, "first", "everything");
		List<List<String>> rows = CACHES.stream()
			.filter((variant) -> this.summary.variants("first", kinds.part()).contains(variant))
			.map((variant) -> List.of(this.summary.title(variant), figure(cost(variant, "start")),
					figure(cost(variant, "wall")), figure(cost(variant, "cpu")), figure(cost(variant, "memory")),
					worst(kinds, variant), figure(burst(variant, "p99"))))
			.toList();
		return (rows.size() < CACHES.size()) ? ""
				: "\nWith AOT caches of the JVM, trained on a context refresh, or by replaying the catalog (`./stack train`):\n\n"
						+ Markdown.table(List.of("", "start", "from then to ready", "CPU until ready", "memory",
								"worst first request, against steady", "50 at once, first second: p99"), rows);
	}

	private static Series cost(String variant, String metric) {
		return new Series("first", "warm-up", variant, metric);
	}

	private String figure(Series series) {
		return this.summary.figure(series).map(Figure::text).orElse(NONE);
	}

	/** The names of facts are the runner's to choose: those that begin so are shown. */
	private String facts() {
		return FACTS.stream()
			.flatMap((name) -> this.results.facts()
				.entrySet()
				.stream()
				.filter((fact) -> fact.getKey().toLowerCase(Locale.ROOT).startsWith(name))
				.findFirst()
				.map((fact) -> ", %s: %s".formatted(fact.getKey(), fact.getValue()))
				.stream())
			.collect(Collectors.joining());
	}

}
