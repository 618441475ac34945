package dev.warmup.bench.schedule;

import java.util.List;

import dev.warmup.bench.result.Note;
import dev.warmup.bench.result.Sample;

/**
 * What the steps brought.
 *
 * @param samples the figures in the order in which they came
 * @param notes what was noted, and why steps failed, each once
 * @param failures how many steps failed or brought nothing, and how many scenarios could
 * not tell their steps
 */
public record Findings(List<Sample> samples, List<Note> notes, int failures) {

	/** Copies what it is given. */
	public Findings {
		samples = List.copyOf(samples);
		notes = List.copyOf(notes);
	}

}
