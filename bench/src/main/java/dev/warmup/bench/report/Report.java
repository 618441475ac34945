package dev.warmup.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

import dev.warmup.bench.load.Journey;
import dev.warmup.bench.variant.Variant;

/**
 * The report of a benchmark: a page of tables with charts, and the README's small table.
 */
public final class Report {

	private static final String[] LATENCIES = { "p50", "p99", "slowest", "errors" };

	private static final String BEGIN = "<!-- bench: begin -->\n";

	private static final String END = "<!-- bench: end -->";

	private static final String NONE = "–";

	private final Results results;

	private final StringBuilder text = new StringBuilder();

	private Report(Results results) {
		this.results = results;
	}

	/**
	 * Writes {@code README.md} and the charts.
	 * @param results the results, complete or not
	 * @throws IOException when they cannot be written
	 */
	public static void write(Results results, Path directory) throws IOException {
		Files.writeString(directory.resolve("README.md"), new Report(results).page());
		new Charts(results, directory).write();
	}

	/**
	 * Replaces what is between the two markers.
	 * @return the README with the table of these results
	 * @throws IllegalStateException when it does not have both markers, in order
	 */
	public static String updateReadme(String readme, Results results) {
		int begin = readme.indexOf(BEGIN) + BEGIN.length();
		int end = readme.indexOf(END, begin);
		if (begin < BEGIN.length() || end < 0) {
			throw new IllegalStateException("README.md needs a line %s and below it %s".formatted(BEGIN.strip(), END));
		}
		return readme.substring(0, begin) + new Report(results).block() + readme.substring(end);
	}

	private String block() {
		Map<String, Function<Variant, String>> columns = new LinkedHashMap<>();
		columns.put("ready after", (variant) -> cell(this.results.values("first", "ready", variant, "time"), "s"));
		columns.put("slowest first request", (variant) -> slowest("everything", variant));
		columns.put("first 100 requests: p50",
				(variant) -> cell(this.results.values("first", "everything", variant, "p50"), "ms"));
		columns.put("p99", (variant) -> cell(this.results.values("first", "everything", variant, "p99"), "ms"));
		if (!this.results.variants("burst").isEmpty()) {
			columns.put("50 users at once, first second: p99",
					(variant) -> cell(this.results.values("burst", "1 s", variant, "p99"), "ms"));
		}
		table("", this.results.variants("first"), Variant::title, columns);
		return this.text
			.append("Medians [ranges] of fresh starts, `bench/run` at commit %s on %s cores, n = %s, %s; all figures: "
				.formatted(fact("commit"), fact("cores"), fact("rounds"), fact("JDK of the stack")))
			.append("[bench/results/latest](bench/results/latest/README.md).\n")
			.toString();
	}

	private String fact(String name) {
		return this.results.facts().getOrDefault(name, "unknown");
	}

	private String page() {
		this.text.append("# Results of the benchmark\n\n")
			.append("Written by `bench/run` from [figures.csv](figures.csv); how it measures: ")
			.append("[bench/README.md](../../README.md). Cells are the median [range] of the rounds.\n\n");
		this.results.facts().forEach((name, fact) -> this.text.append("- %s: %s\n".formatted(name, fact)));
		Stream<Double> machine = this.results.figures()
			.stream()
			.map(Results.Figure::machine)
			.filter((speed) -> speed > 0);
		this.text.append("- fixed work before each step: %s\n\n".formatted(cell(machine.sorted().toList(), "ms")));
		if (section("first", "First requests", "first")) {
			first();
		}
		if (section("burst", "50 users at once", "burst")) {
			for (String window : List.of("1 s", "2 s", "10 s")) {
				table("The first " + window, "burst", window, "p50", "p99", "slowest", "errors", "throughput");
			}
		}
		if (section("join", "50 requests a second while a second instance joins", "join")) {
			this.text.append(
					"\"Too early\" are users the new instance answered before it was UP. Times count from the moment "
							+ "at which it could answer.\n\n");
			table("", "join", "", "until it takes users", "until it is a full member", "users too early", "p99 before",
					"p50", "p99", "slowest", "errors");
			if (this.results.figures().stream().anyMatch((figure) -> figure.part().startsWith(Charts.SECOND))) {
				this.text.append(
						"The first round of *this library*, second by second: the median latency of the instance that "
								+ "joins and of its sibling, and its share of users, where a full member has 1.\n\n"
								+ "![A join by seconds](join-seconds.svg)\n\n");
			}
		}
		if (section("deploy", "100 requests a second while three instances are replaced, one after the other", "")) {
			table("", "deploy", "", "wall", "p99 before", "p50", "p99", "slowest", "errors");
		}
		if (section("together", "Three instances that start together", "")) {
			for (int i = 1; i <= 3; i++) {
				table("chat-service-" + i, "together", "chat-service-" + i, "steady by its run", "a minute later",
						"ratio");
			}
		}
		if (section("idle", "After an idle time", "")) {
			table("left alone", "idle", "left alone", LATENCIES);
			table("re-warmed", "idle", "re-warmed", LATENCIES);
		}
		if (section("overhead", "What a user's request costs: nothing, or the library turned on", "")) {
			table("gateway", "overhead", "gateway", "time", "time error", "allocation");
			table("service", "overhead", "service", "time", "time error", "allocation");
		}
		if (!this.results.notes().isEmpty()) {
			this.text.append("## Notes\n\n");
			this.results.notes().forEach((note) -> this.text.append("- ").append(note.strip()).append("\n"));
		}
		return this.text.toString().strip() + "\n";
	}

	private boolean section(String scenario, String title, String chart) {
		boolean measured = !this.results.variants(scenario).isEmpty();
		if (measured) {
			this.text.append("## %s\n\n".formatted(title))
				.append(chart.isEmpty() ? "" : "![%s](%s.svg)\n\n".formatted(title, chart));
		}
		return measured;
	}

	private void first() {
		this.text.append("\"x steady\" is the highest of all kinds of request, each compared with its median in the "
				+ "steady state.\n\n");
		List<Variant> variants = this.results.variants("first");
		for (String part : List.of("everything", "service", "gateway")) {
			Map<String, Function<Variant, String>> columns = new LinkedHashMap<>();
			columns.put("slowest first request", (variant) -> slowest(part, variant));
			columns.put("x steady", (variant) -> this.results.multiple(part, variant).map(Report::number).orElse(NONE));
			columns.putAll(columns("first", part, "p50", "p99", "errors"));
			table("Started: " + part, variants, Variant::title, columns);
		}
		table("Until ready", "first", "ready", "time", "cpu");
		this.text.append("First request of each kind, ms:\n\n");
		Map<String, Function<Journey.Request, String>> columns = new LinkedHashMap<>();
		variants.forEach((variant) -> columns.put(variant.title(),
				(request) -> cell(this.results.values("first", "everything", variant, request.name()), "")));
		columns.put("median in the steady state",
				(request) -> cell(this.results.values("first", "steady", Variant.STEADY, request.name()), ""));
		table("", Journey.REQUESTS, Journey.Request::name, columns);
	}

	/** A row per variant, and a column per metric. */
	private void table(String corner, String scenario, String part, String... metrics) {
		table(corner, this.results.variants(scenario), Variant::title, columns(scenario, part, metrics));
	}

	private Map<String, Function<Variant, String>> columns(String scenario, String part, String... metrics) {
		Map<String, Function<Variant, String>> columns = new LinkedHashMap<>();
		for (String metric : metrics) {
			columns.put(metric, (variant) -> cell(this.results.values(scenario, part, variant, metric),
					this.results.unit(scenario, metric)));
		}
		return columns;
	}

	/** A table of the rows that have a figure; nothing when none has. */
	private <R> void table(String corner, List<R> rows, Function<R, String> title,
			Map<String, Function<R, String>> columns) {
		Map<String, List<String>> lines = new LinkedHashMap<>();
		for (R row : rows) {
			List<String> cells = columns.values().stream().map((column) -> column.apply(row)).toList();
			if (!cells.stream().allMatch(NONE::equals)) {
				lines.put(title.apply(row), cells);
			}
		}
		if (!lines.isEmpty()) {
			line(corner, columns.keySet());
			line("---", Collections.nCopies(columns.size(), "---"));
			lines.forEach(this::line);
			this.text.append("\n");
		}
	}

	private void line(String first, Collection<String> others) {
		this.text.append("| %s | %s |\n".formatted(first, String.join(" | ", others)));
	}

	/**
	 * The kind of request that took longest when it came first: {@code sign-up 281 ms}.
	 */
	private String slowest(String part, Variant variant) {
		return this.results.slowest(part, variant)
			.map((slowest) -> "%s %s ms".formatted(slowest.getKey(), number(slowest.getValue())))
			.orElse(NONE);
	}

	/** Median and range over the rounds, such as {@code 8.10 ms [7.22–9.04]}. */
	private static String cell(List<Double> values, String unit) {
		if (values.isEmpty()) {
			return NONE;
		}
		String range = (values.size() > 1)
				? " [%s–%s]".formatted(number(values.get(0)), number(values.get(values.size() - 1))) : "";
		return (number(Results.median(values)) + " " + unit).strip() + range;
	}

	/** A whole number as it is, else three significant digits. */
	private static String number(double value) {
		double size = Math.abs(value);
		return String.format(Locale.ROOT,
				(size >= 100 || size == Math.rint(size)) ? "%.0f" : (size >= 10) ? "%.1f" : "%.2f", value);
	}

}
