package dev.warmup.bench.report;

import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.warmup.bench.result.Count;
import dev.warmup.bench.result.Goals;
import dev.warmup.bench.result.Note;
import dev.warmup.bench.result.Results;
import dev.warmup.bench.result.Summary;

/** The page about one run. */
final class Page {

	private static final Map<String, String> QUESTIONS = Map.of("first",
			"What the first users of each kind of request wait for", "burst",
			"What 50 users see who come at the moment the system calls itself ready", "join",
			"What users see while a second instance joins", "idle", "What the first users after an idle time wait for",
			"cost", "What the library takes once everything is warm", "growth", "What more requests and instances take",
			"curve",
			"What fixed counts of passes bring the first 100 users, and what the library brings them, which measures");

	private Page() {
	}

	static String write(Results results, Summary summary, List<Drawing> drawn, List<Note> notes) {
		return Stream
			.of(Stream.of(head(results), goals(summary)),
					summary.scenarios().stream().map((scenario) -> scenario(summary, scenario, drawn)),
					Stream.of(notes(notes), facts(results)))
			.flatMap((sections) -> sections)
			.filter((section) -> !section.isEmpty())
			.collect(Collectors.joining("\n"));
	}

	private static String head(Results results) {
		return """
				# What the benchmark found

				%s, begun at %s, took %d min. Written by `bench/run`, from all samples in [`%s`](%s). How it was \
				measured, and how to read this: [bench/README.md](../../README.md).
				""".formatted(results.quick() ? "A quick run, with fewer repetitions" : "A full run",
				results.startedAt().truncatedTo(ChronoUnit.SECONDS), Math.round(results.took().toSeconds() / 60.0),
				Reports.JSON, Reports.JSON);
	}

	private static String goals(Summary summary) {
		return "## Goals\n\n" + Markdown.table(List.of("scenario", "goal", "", "figures"), Goals.judge(summary)
			.stream()
			.map((goal) -> List.of(goal.scenario(), goal.text(), "**" + goal.verdict().words() + "**", goal.figures()))
			.toList());
	}

	private static String scenario(Summary summary, String scenario, List<Drawing> drawn) {
		String charts = drawn.stream()
			.filter((drawing) -> drawing.scenario().equals(scenario))
			.map((drawing) -> "\n![%s](%s)\n".formatted(drawing.title(), drawing.file()))
			.collect(Collectors.joining());
		String counts = scenario.equals(Count.SCENARIO) ? CurveTable.of(summary) : "";
		return "## %s\n\n%s.\n%s%s".formatted(scenario, QUESTIONS.getOrDefault(scenario, scenario), charts, counts)
				+ summary.parts(scenario)
					.stream()
					.map((part) -> (part.isEmpty() ? "" : "\n### %s: %s\n".formatted(scenario, part)) + "\n"
							+ new Table(summary, scenario, part).write())
					.collect(Collectors.joining());
	}

	private static String notes(List<Note> notes) {
		return notes.isEmpty() ? ""
				: notes.stream()
					.map((note) -> Stream.of(note.scenario(), note.variant())
						.filter((word) -> !word.isEmpty())
						.collect(Collectors.collectingAndThen(Collectors.joining(", "),
								(about) -> "- " + (about.isEmpty() ? "" : about + ": ") + note.text() + "\n")))
					.collect(Collectors.joining("", "## Notes\n\n", ""));
	}

	private static String facts(Results results) {
		return "## Machine\n\n" + Markdown.table(List.of("fact", ""),
				results.facts().entrySet().stream().map((fact) -> List.of(fact.getKey(), fact.getValue())).toList());
	}

}
