package dev.warmup.bench.scenario;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

import dev.warmup.bench.load.Sample;
import dev.warmup.bench.load.Summary;

/** Takes the figures and notes of one step of a benchmark. */
public record Recorder(List<Results.Figure> figures, List<String> notes, String scenario, String variant, int round,
		double machine) {

	void record(String part, String metric, String unit, double value) {
		this.figures
			.add(new Results.Figure(this.scenario, part, this.variant, metric, unit, this.round, this.machine, value));
	}

	void latency(String part, String metric, Duration latency) {
		record(part, metric, "ms", latency.toNanos() / 1e6);
	}

	void seconds(String part, String metric, Duration time) {
		record(part, metric, "s", time.toNanos() / 1e9);
	}

	/** Records latencies and errors of requests, and notes the first error. */
	void summary(String part, Collection<Sample> samples) {
		Summary summary = Summary.of(samples);
		latency(part, "p50", summary.p50());
		latency(part, "p99", summary.p99());
		latency(part, "slowest", summary.slowest());
		record(part, "errors", "count", (double) summary.errors());
		samples.stream()
			.filter((sample) -> !sample.expected())
			.findFirst()
			.ifPresent((sample) -> note("%d errors %s, the first of %s: status %d %s".formatted(summary.errors(), part,
					sample.request(), sample.status(), sample.instance())));
	}

	/** Records requests around a change, and the 99th percentile of those before it. */
	void change(Instant moment, List<Sample> samples) {
		latency("", "p99 before",
				Summary.of(samples.stream().filter((sample) -> sample.start().isBefore(moment)).toList()).p99());
		summary("", samples.stream().filter((sample) -> !sample.start().isBefore(moment)).toList());
	}

	void note(String text) {
		this.notes.add("%s of %s, round %d: %s".formatted(this.scenario, this.variant, this.round, text));
	}

}
