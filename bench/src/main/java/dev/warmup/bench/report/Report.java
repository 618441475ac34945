package dev.warmup.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import dev.warmup.bench.load.Journey;
import dev.warmup.bench.variant.Variant;

/**
 * The report of a benchmark: a page of tables with charts, and the README's small table.
 */
public final class Report {

	private static final String[] LATENCIES = { "p50 ms", "p99 ms", "slowest ms", "errors" };

	private static final String BEGIN = "<!-- bench: begin -->";

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
	 * @throws IllegalStateException when it does not have each marker once, in order
	 */
	public static String updateReadme(String readme, Results results) {
		int begin = readme.indexOf(BEGIN);
		int end = readme.indexOf(END);
		if (begin < 0 || end < begin || readme.lastIndexOf(BEGIN) != begin || readme.lastIndexOf(END) != end) {
			throw new IllegalStateException("README.md needs one line %s and below it one %s".formatted(BEGIN, END));
		}
		return readme.substring(0, begin + BEGIN.length()) + "\n" + new Report(results).block() + readme.substring(end);
	}

	private String block() {
		boolean burst = !this.results.variants("burst").isEmpty();
		List<String> titles = new ArrayList<>(List.of("", "slowest first request", "first 100 requests: p50", "p99"));
		if (burst) {
			titles.add("50 users at once, first second: p99");
		}
		head(titles);
		for (Variant variant : this.results.variants("first")) {
			String id = variant.id();
			List<String> cells = new ArrayList<>(List.of(variant.title(), slowest("everything", id),
					brief(this.results.median("first", "everything", id, "p50")),
					brief(this.results.median("first", "everything", id, "p99"))));
			if (burst) {
				cells.add(brief(this.results.median("burst", "1 s", id, "p99")));
			}
			row(cells);
		}
		return this.text
			.append("\nMedians of fresh starts, `bench/run` at commit %s on %s cores, n = %s, %s; all figures: "
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
		this.text.append("- fixed work before each step: %s\n".formatted(cell(machine.sorted().toList(), "ms")));
		if (section("first", "First requests")) {
			first();
		}
		if (section("burst", "50 users at once")) {
			for (String window : List.of("1 s", "2 s", "10 s")) {
				table("The first " + window, "burst", window, Map.of(), "p50 ms", "p99 ms", "slowest ms", "errors",
						"throughput /s");
			}
		}
		if (section("join", "50 requests a second while a second instance joins")) {
			this.text.append(
					"\"Too early\" are users the new instance answered before it was UP. Times count from the moment "
							+ "at which it could answer.\n\n");
			table("", "join", "", Map.of(), "until-it-takes-users s", "until-it-is-a-full-member s", "users-too-early",
					"p99-before ms", "p50 ms", "p99 ms", "slowest ms", "errors");
			if (this.results.has("join", Charts.SECOND + 1)) {
				this.text.append("The first round of *ours*, second by second: the median latency of the instance that "
						+ "joins and of its sibling, and its share of users, where a full member has 1.\n\n"
						+ "![A join by seconds](join-seconds.svg)\n");
			}
		}
		if (section("deploy", "100 requests a second while three instances are replaced, one after the other")) {
			table("", "deploy", "", Map.of(), "wall s", "p99-before ms", "p50 ms", "p99 ms", "slowest ms", "errors");
		}
		if (section("together", "Three instances that start together")) {
			for (int i = 1; i <= 3; i++) {
				table("chat-service-" + i, "together", "chat-service-" + i, Map.of(), "steady-by-its-run ms",
						"a-minute-later ms", "ratio");
			}
		}
		if (section("idle", "After an idle time")) {
			table("left alone", "idle", "left alone", Map.of(), LATENCIES);
			table("re-warmed", "idle", "re-warmed", Map.of(), LATENCIES);
		}
		if (section("overhead", "What a user's request costs: nothing, or the library turned on")) {
			for (String application : List.of("gateway", "service")) {
				table(application, "overhead", application, Map.of(), "time ns", "time-error ns", "allocation B");
			}
		}
		if (!this.results.notes().isEmpty()) {
			this.text.append("\n## Notes\n\n");
			this.results.notes().forEach((note) -> this.text.append("- ").append(note.strip()).append("\n"));
		}
		return this.text.toString();
	}

	private boolean section(String scenario, String title) {
		boolean measured = !this.results.variants(scenario).isEmpty();
		if (measured) {
			this.text.append("\n## %s\n\n".formatted(title));
			if (List.of("first", "burst", "join").contains(scenario)) {
				this.text.append("![%s](%s.svg)\n\n".formatted(title, scenario));
			}
		}
		return measured;
	}

	private void first() {
		this.text.append("\"x steady\" is the highest of all kinds of request, each compared with its median in the "
				+ "steady state.\n\n");
		for (String part : List.of("everything", "service", "gateway")) {
			Map<String, UnaryOperator<String>> columns = new LinkedHashMap<>();
			columns.put("slowest first request", (variant) -> slowest(part, variant));
			columns.put("x steady", (variant) -> {
				OptionalDouble multiple = this.results.multiple(part, variant);
				return multiple.isPresent() ? number(multiple.getAsDouble()) : NONE;
			});
			table("Started: " + part, "first", part, columns, "p50 ms", "p99 ms", "errors");
		}
		table("Until ready", "first", "ready", Map.of(), "time s", "cpu s");
		this.text.append("First request of each kind, ms:\n\n");
		List<Variant> variants = this.results.variants("first");
		List<String> titles = new ArrayList<>(variants.stream().map(Variant::title).toList());
		titles.add(0, "");
		titles.add("median in the steady state");
		head(titles);
		for (Journey.Request request : Journey.REQUESTS) {
			List<String> cells = new ArrayList<>(List.of(request.name()));
			variants.forEach((variant) -> cells.add(cell("first", "everything", variant.id(), request.name(), "")));
			cells.add(cell("first", "steady", "steady", request.name(), ""));
			row(cells);
		}
	}

	/** A row per variant, and a column per metric, which is named with its unit. */
	private void table(String title, String scenario, String part, Map<String, UnaryOperator<String>> before,
			String... metrics) {
		if (!this.results.has(scenario, part)) {
			return;
		}
		Map<String, UnaryOperator<String>> columns = new LinkedHashMap<>(before);
		for (String metric : metrics) {
			String[] words = (metric + " ").split(" ", -1);
			String name = words[0].replace('-', ' ');
			columns.put(name, (variant) -> cell(scenario, part, variant, name, words[1]));
		}
		List<String> titles = new ArrayList<>(columns.keySet());
		titles.add(0, title);
		head(titles);
		for (Variant variant : this.results.variants(scenario)) {
			List<String> cells = new ArrayList<>();
			columns.values().forEach((column) -> cells.add(column.apply(variant.id())));
			if (!cells.stream().allMatch(NONE::equals)) {
				cells.add(0, variant.title());
				row(cells);
			}
		}
		this.text.append("\n");
	}

	private void head(List<String> cells) {
		row(cells);
		row(cells.stream().map((cell) -> "---").toList());
	}

	private void row(List<String> cells) {
		this.text.append("| " + String.join(" | ", cells) + " |\n");
	}

	/**
	 * The kind of request that took longest when it came first: {@code sign-up 281 ms}.
	 */
	private String slowest(String part, String variant) {
		return this.results.firsts(part, variant)
			.entrySet()
			.stream()
			.max(Map.Entry.comparingByValue())
			.map((slowest) -> slowest.getKey() + " " + brief(slowest.getValue()))
			.orElse(NONE);
	}

	private String cell(String scenario, String part, String variant, String metric, String unit) {
		return cell(this.results.values(scenario, part, variant, metric), unit);
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

	/** The median alone. */
	private static String brief(double median) {
		return Double.isNaN(median) ? NONE : number(median) + " ms";
	}

	/** A whole number as it is, else three significant digits. */
	private static String number(double value) {
		double size = Math.abs(value);
		return String.format(Locale.ROOT,
				(size >= 100 || size == Math.rint(size)) ? "%.0f" : (size >= 10) ? "%.1f" : "%.2f", value);
	}

}
