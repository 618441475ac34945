package dev.warmup.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Stream;

import dev.warmup.bench.load.Journey;
import dev.warmup.bench.variant.Variant;

/**
 * The report of a benchmark: a page of tables with charts, and the README's small table.
 */
public final class Report {

	private static final List<String> LATENCIES = List.of("p50 ms", "p99 ms", "slowest ms", "errors");

	private static final String BEGIN = "<!-- bench: begin -->";

	private static final String END = "<!-- bench: end -->";

	private final Results results;

	private final StringBuilder text = new StringBuilder();

	private Report(Results results) {
		this.results = results;
	}

	/**
	 * Writes {@code README.md} and the charts.
	 * @param results the results, complete or not
	 * @param directory where to
	 * @throws IOException when they cannot be written
	 */
	public static void write(Results results, Path directory) throws IOException {
		Charts.write(results, directory);
		Files.writeString(directory.resolve("README.md"), new Report(results).page());
	}

	/**
	 * Replaces what is between the two markers.
	 * @param readme the README
	 * @param results the results to show
	 * @return the README with the table of these results
	 * @throws IllegalStateException when it does not have each marker once, in order
	 */
	public static String updateReadme(String readme, Results results) {
		int begin = readme.indexOf(BEGIN);
		int end = readme.indexOf(END);
		if (begin < 0 || end < begin || readme.lastIndexOf(BEGIN) != begin || readme.lastIndexOf(END) != end) {
			throw new IllegalStateException("README.md needs one line %s and below it one %s".formatted(BEGIN, END));
		}
		return readme.substring(0, begin + BEGIN.length()) + "\n" + block(results) + readme.substring(end);
	}

	private static String block(Results results) {
		StringBuilder text = new StringBuilder(Format.head(List.of("", "slowest first request",
				"first 100 requests: p50", "p99", "50 users at once, first second: p99")));
		for (Variant variant : Format.variants(results, "first")) {
			String id = variant.id();
			text.append(Format.row(List.of(variant.title(), Format.worstCell(results, "everything", id),
					Format.brief(results.median("first", "everything", id, "p50"), "ms"),
					Format.brief(results.median("first", "everything", id, "p99"), "ms"),
					Format.brief(results.median("burst", "1 s", id, "p99"), "ms"))));
		}
		return text
			.append("\nMedians of fresh starts, `bench/run` at commit %s on %s cores, n = %s, %s; ".formatted(
					fact(results, "commit"), fact(results, "cores"), fact(results, "rounds"),
					fact(results, "JDK of the stack")))
			.append("all figures: [bench/results/latest](bench/results/latest/README.md).\n")
			.toString();
	}

	private static String fact(Results results, String name) {
		return results.facts().getOrDefault(name, "unknown");
	}

	private String page() {
		this.text.append("# Results of the benchmark\n\n")
			.append("Written by `bench/run` from [figures.csv](figures.csv); how it measures: ")
			.append("[bench/README.md](../../README.md). Cells are the median [range] of the rounds.\n\n");
		this.results.facts().forEach((name, fact) -> this.text.append("- %s: %s\n".formatted(name, fact)));
		Stream<Double> machine = this.results.figures().stream().map(Figure::machine).filter((speed) -> speed > 0);
		this.text.append("- fixed work before each step: %s\n".formatted(Format.cell(machine.sorted().toList(), "ms")));
		if (section("first", "First requests")) {
			first();
		}
		if (section("burst", "50 users at once")) {
			for (String window : List.of("1 s", "2 s", "10 s")) {
				table("The first " + window, "burst", window,
						Stream.concat(LATENCIES.stream(), Stream.of("throughput /s")));
			}
		}
		if (section("join", "50 requests a second while a second instance joins")) {
			this.text.append("\"Too early\" are users the new instance answered before it was UP.\n\n");
			table("", "join", "", Stream.concat(Stream.of("p99-before ms", "users-too-early"), LATENCIES.stream()));
		}
		if (section("idle", "After an idle time")) {
			for (String part : List.of("left alone", "re-warmed")) {
				table(part, "idle", part, LATENCIES.stream());
			}
		}
		if (section("overhead", "What a user's request costs: nothing, or the library turned on")) {
			for (String application : List.of("gateway", "service")) {
				table(application, "overhead", application, Stream.of("time ns", "time-error ns", "allocation B"));
			}
		}
		if (!this.results.notes().isEmpty()) {
			this.text.append("\n## Notes\n\n");
			this.results.notes().forEach((note) -> this.text.append("- ").append(note.strip()).append("\n"));
		}
		return this.text.toString();
	}

	private boolean section(String scenario, String title) {
		boolean measured = !Format.variants(this.results, scenario).isEmpty();
		if (measured) {
			this.text.append("\n## %s\n\n".formatted(title));
			if (Charts.NAMES.contains(scenario)) {
				this.text.append("![%s](%s.svg)\n\n".formatted(title, scenario));
			}
		}
		return measured;
	}

	private void first() {
		List<Variant> variants = Format.variants(this.results, "first");
		this.text.append("\"x steady\" is the highest of all kinds of request, each compared with its median in the "
				+ "steady state.\n\n");
		for (String part : List.of("everything", "service", "gateway")) {
			if (!this.results.metrics("first", part).isEmpty()) {
				table("Started: " + part, "first", part, Stream.of("p50 ms", "p99 ms", "errors"),
						new Column("slowest first request", (variant) -> Format.worstCell(this.results, part, variant)),
						new Column("x steady", (variant) -> multiple(part, variant)));
			}
		}
		table("Until ready", "first", "ready", Stream.of("time s", "cpu s"));
		this.text.append("First request of each kind, ms:\n\n");
		this.text.append(Format.head(
				Stream.of(Stream.of(""), variants.stream().map(Variant::title), Stream.of("median in the steady state"))
					.flatMap((cells) -> cells)
					.toList()));
		for (Journey.Request request : Journey.REQUESTS) {
			List<String> row = new ArrayList<>(List.of(request.name()));
			variants.forEach((variant) -> row.add(cell("first", "everything", variant.id(), request.name(), "")));
			row.add(cell("first", "steady", "steady", request.name(), ""));
			this.text.append(Format.row(row));
		}
	}

	/**
	 * The highest multiple over all kinds of request, which need not be that of the
	 * slowest.
	 */
	private String multiple(String part, String variant) {
		OptionalDouble highest = Journey.REQUESTS.stream()
			.map(Journey.Request::name)
			.mapToDouble((kind) -> this.results.median("first", part, variant, kind).orElse(Double.NaN)
					/ this.results.median("first", "steady", "steady", kind).orElse(Double.NaN))
			.filter(Double::isFinite)
			.max();
		return highest.isPresent() ? Format.number(highest.getAsDouble()) : Format.NONE;
	}

	/** A row per variant, and a column per metric, which is named with its unit. */
	private void table(String title, String scenario, String part, Stream<String> metrics, Column... before) {
		List<String> names = this.results.metrics(scenario, part);
		if (names.isEmpty()) {
			return;
		}
		List<Column> columns = new ArrayList<>(List.of(before));
		metrics.map((metric) -> metric.split(" ")).forEach((metric) -> {
			String unit = (metric.length > 1) ? metric[1] : "";
			columns.add(new Column(metric[0].replace('-', ' '),
					(variant) -> cell(scenario, part, variant, metric[0].replace('-', ' '), unit)));
		});
		this.text.append(Format.head(Stream.concat(Stream.of(title), columns.stream().map(Column::title)).toList()));
		for (Variant variant : Format.variants(this.results, scenario)) {
			List<String> cells = columns.stream().map((column) -> column.cell().apply(variant.id())).toList();
			if (!cells.stream().allMatch(Format.NONE::equals)) {
				this.text.append(Format.row(Stream.concat(Stream.of(variant.title()), cells.stream()).toList()));
			}
		}
		this.text.append("\n");
	}

	private String cell(String scenario, String part, String variant, String metric, String unit) {
		return Format.cell(this.results.values(scenario, part, variant, metric), unit);
	}

	private record Column(String title, Function<String, String> cell) {

	}

}
