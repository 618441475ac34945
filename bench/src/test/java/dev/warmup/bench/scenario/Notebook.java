package dev.warmup.bench.scenario;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

import dev.warmup.bench.result.Recorder;
import dev.warmup.bench.result.Unit;

/** Keeps figures by part, if any, and metric, such as {@code 1 s: p99}, and notes. */
record Notebook(Map<String, Double> figures, Set<String> notes) implements Recorder {

	Notebook() {
		this(new LinkedHashMap<>(), new LinkedHashSet<>());
	}

	@Override
	public void record(String part, String metric, Unit unit, double value) {
		this.figures.put(part.isEmpty() ? metric : part + ": " + metric, value);
	}

	@Override
	public void note(String text) {
		this.notes.add(text);
	}

}
