package dev.warmup.bench.result;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs that never took place, figure by figure. */
public final class Runs {

	private final List<Sample> samples = new ArrayList<>();

	private final List<Note> notes = new ArrayList<>();

	public static Runs none() {
		return new Runs();
	}

	/** Each scenario once, three rounds, the goals met. */
	public static Runs good() {
		Runs runs = new Runs();
		Map<String, Double> factors = new LinkedHashMap<>();
		factors.put("nothing", 100.0);
		factors.put("one-pass", 12.0);
		factors.put("fixed-200", 2.5);
		factors.put("mittens", 4.0);
		factors.put("mittens-tuned", 3.0);
		factors.put("aot", 40.0);
		factors.put("ours", 1.2);
		factors.put("ours-aot", 1.1);
		factors.put("ours-replay", 1.0);
		factors.put("aot-replay", 30.0);
		factors.put("steady", 1.0);
		factors.forEach((variant, factor) -> {
			runs.first("everything", variant, "sign-up", 2 * factor);
			runs.first("everything", variant, "list-rooms", 1.5 * factor * 0.9);
			runs.first("everything", variant, "p50 of 100", 2 * Math.sqrt(factor));
			runs.first("everything", variant, "p99 of 100", 5 * factor);
			runs.with("first", "warm-up", variant, "wall", Unit.SECONDS, 3 + 6 / factor);
			runs.with("first", "warm-up", variant, "cpu", Unit.SECONDS, 12 + (variant.equals("fixed-200") ? 20 : 8));
			for (String part : List.of("1 s", "2 s", "10 s")) {
				runs.with("burst", part, variant, "p50", Unit.MILLIS, 8 * Math.sqrt(factor));
				runs.with("burst", part, variant, "p99", Unit.MILLIS, 20 * factor);
				runs.with("burst", part, variant, "max", Unit.MILLIS, 60 * factor);
				runs.with("burst", part, variant, "throughput", Unit.PER_SECOND, 3000 / factor);
				runs.with("burst", part, variant, "errors", Unit.COUNT, 0);
			}
		});
		for (String part : List.of("service", "gateway")) {
			runs.first(part, "nothing", "sign-up", 150);
			runs.first(part, "ours", "sign-up", 2.2);
			runs.first(part, "nothing", "list-rooms", 90);
			runs.first(part, "ours", "list-rooms", 1.7);
		}
		runs.join("nothing", 16, 24, 375);
		runs.join("ours", 16, 17, 51);
		for (String variant : List.of("not-rewarmed", "ours", "steady")) {
			double factor = variant.equals("not-rewarmed") ? 30 : variant.equals("ours") ? 1.5 : 1;
			runs.with("idle", "", variant, "sign-up", Unit.MILLIS, 2 * factor);
		}
		for (int pair = 1; pair <= 10; pair++) {
			runs.with("cost", "steady state", "ours", "throughput ratio", Unit.RATIO, pair, 0.99 + pair * 0.002);
			runs.with("cost", "steady state", "ours", "p50 ratio", Unit.RATIO, pair, 1.01 - pair * 0.002);
			runs.with("cost", "steady state", "ours", "CPU ratio", Unit.RATIO, pair, 1.005);
		}
		for (int size : List.of(10, 100, 1000)) {
			runs.with("growth", "catalog of " + size, "ours", "run", Unit.SECONDS, 1 + size * 0.04);
		}
		for (int size : List.of(1, 10, 100, 500)) {
			runs.with("growth", size + " instances", "ours", "gateway memory", Unit.MEBIBYTES, 200 + size * 0.2);
			runs.with("growth", size + " instances", "ours", "gateway cpu", Unit.SECONDS, 0.5 + size * 0.01);
		}
		return runs;
	}

	/** Only that scenario, five rounds, its goals met. */
	public static Runs curve() {
		return new Runs().curves();
	}

	/** Adds what {@link #curve()} has. */
	public Runs curves() {
		count("fixed-1", 12, 40, 30, 22);
		count("fixed-200", 3, 6, 80, 4400);
		count("fixed-5000", 1.5, 2, 300, 110000);
		count("ours", 2.5, 5, 90, 5000);
		with("curve", "steady state", "fixed-5000", "p50", Unit.MILLIS, 1);
		return with("curve", "steady state", "fixed-5000", "p99", Unit.MILLIS, 4);
	}

	/**
	 * Five rounds, by a tenth apart at most; the multiples are of a steady 1 ms and 4 ms.
	 */
	public Runs count(String variant, double p50, double p99, double cpu, double requests) {
		for (int round = 1; round <= 5; round++) {
			double factor = (round == 4) ? 0.9 : (round == 5) ? 1.1 : 1;
			with("curve", "everything", variant, "p50 of 100", Unit.MILLIS, round, p50 * factor);
			with("curve", "everything", variant, "p99 of 100", Unit.MILLIS, round, 4 * p99 * factor);
			with("curve", "warm-up", variant, "wall", Unit.SECONDS, round, 30 * factor);
			with("curve", "warm-up", variant, "cpu", Unit.SECONDS, round, cpu * factor);
			with("curve", "warm-up", variant, "requests", Unit.COUNT, round, requests);
		}
		return this;
	}

	public Runs first(String part, String variant, String metric, double median) {
		return with("first", part, variant, metric, Unit.MILLIS, median);
	}

	public Runs join(String variant, double before, double around, double max) {
		with("join", "", variant, "p99 before", Unit.MILLIS, before);
		with("join", "", variant, "p99 around", Unit.MILLIS, around);
		with("join", "", variant, "max around", Unit.MILLIS, max);
		with("join", "", variant, "errors", Unit.COUNT, 0);
		return with("join", "", variant, "users at an instance that is not UP", Unit.COUNT, 0);
	}

	/** Three rounds, by a tenth apart. */
	public Runs with(String scenario, String part, String variant, String metric, Unit unit, double median) {
		double spread = (unit == Unit.COUNT) ? 0 : 0.1;
		with(scenario, part, variant, metric, unit, 1, median * (1 + spread));
		with(scenario, part, variant, metric, unit, 2, median * (1 - spread));
		return with(scenario, part, variant, metric, unit, 3, median);
	}

	public Runs with(String scenario, String part, String variant, String metric, Unit unit, int round, double value) {
		this.samples.add(new Sample(scenario, part, variant, metric, unit, round, value));
		return this;
	}

	public Runs without(String scenario, String variant, String metric) {
		this.samples.removeIf((sample) -> sample.scenario().equals(scenario) && sample.variant().equals(variant)
				&& sample.metric().equals(metric));
		return this;
	}

	public Runs without(String scenario) {
		this.samples.removeIf((sample) -> sample.scenario().equals(scenario));
		return this;
	}

	public Runs note(String scenario, String variant, String text) {
		this.notes.add(new Note(scenario, variant, text));
		return this;
	}

	public Results results() {
		Map<String, String> titles = new LinkedHashMap<>();
		titles.put("nothing", "nothing");
		titles.put("fixed-1", "1 pass");
		titles.put("one-pass", "one pass");
		titles.put("fixed-200", "fixed 200 passes");
		titles.put("mittens", "mittens, defaults");
		titles.put("mittens-tuned", "mittens, tuned");
		titles.put("aot", "AOT cache");
		titles.put("ours", "ours");
		titles.put("ours-aot", "ours + AOT cache");
		titles.put("aot-replay", "AOT cache by replay");
		titles.put("ours-replay", "ours + AOT cache by replay");
		titles.put("steady", "steady state");
		Map<String, String> facts = new LinkedHashMap<>();
		facts.put("commit", "0123abc");
		facts.put("cores", "2");
		facts.put("JDK", "17.0.1 | a vendor");
		return new Results(Instant.parse("2030-01-02T03:04:05.678Z"), Duration.ofSeconds(1234, 5), false, facts, titles,
				this.samples, this.notes);
	}

	public Summary summary() {
		return Summary.of(results());
	}

}
