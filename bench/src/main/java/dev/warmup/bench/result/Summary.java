package dev.warmup.bench.result;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What the samples of a run come to: a figure a series, and series against each other.
 * Samples that are no finite number are left out of the figures.
 */
public final class Summary {

	/** The id of the variant that all others are held against. */
	public static final String STEADY = "steady";

	static final String EVERYTHING = "everything";

	private final Map<Series, List<Sample>> samples = new LinkedHashMap<>();

	private final Map<String, String> titles;

	private final List<String> variants;

	private Summary(Results results) {
		this.titles = results.variants();
		results.samples().stream().filter((sample) -> Double.isFinite(sample.value())).forEach(this::add);
		this.variants = Stream
			.concat(this.titles.keySet().stream(),
					this.samples.keySet().stream().map(Series::variant).sorted().distinct())
			.distinct()
			.toList();
	}

	/**
	 * Sums up a run.
	 * @param results the run
	 * @return its summary
	 */
	public static Summary of(Results results) {
		return new Summary(results);
	}

	private void add(Sample sample) {
		this.samples.computeIfAbsent(Series.of(sample), (series) -> new ArrayList<>()).add(sample);
	}

	/**
	 * What was measured at all.
	 * @return the scenarios, in the order in which they were first measured
	 */
	public List<String> scenarios() {
		return distinct((series) -> true, Series::scenario);
	}

	/**
	 * What a scenario did.
	 * @param scenario the scenario
	 * @return its parts, in the order in which they were first measured
	 */
	public List<String> parts(String scenario) {
		return distinct((series) -> series.scenario().equals(scenario), Series::part);
	}

	/**
	 * What was measured in a part.
	 * @param scenario the scenario
	 * @param part the part
	 * @return its metrics, in the order in which they were first measured
	 */
	public List<String> metrics(String scenario, String part) {
		return distinct((series) -> series.scenario().equals(scenario) && series.part().equals(part), Series::metric);
	}

	/**
	 * Who was measured in a part.
	 * @param scenario the scenario
	 * @param part the part
	 * @return the variants in the order of the tables, then those the run has no title
	 * for
	 */
	public List<String> variants(String scenario, String part) {
		List<String> measured = distinct((series) -> series.scenario().equals(scenario) && series.part().equals(part),
				Series::variant);
		return this.variants.stream().filter(measured::contains).toList();
	}

	private List<String> distinct(Predicate<Series> which, Function<Series, String> what) {
		return this.samples.keySet().stream().filter(which).map(what).distinct().toList();
	}

	/**
	 * Names a variant in tables and charts.
	 * @param variant its id
	 * @return its title, or the id when it has none
	 */
	public String title(String variant) {
		return this.titles.getOrDefault(variant, variant);
	}

	/**
	 * What a series comes to.
	 * @param series the series
	 * @return its figure; empty when it was not measured
	 */
	public Optional<Figure> figure(Series series) {
		return Optional.ofNullable(this.samples.get(series))
			.map((all) -> Figure.of(all.get(0).unit(), all.stream().map(Sample::value).toList()));
	}

	/**
	 * A series as a multiple of its like in the steady state, median by median. Where
	 * steady was not measured in the same part, its part {@value #EVERYTHING} counts.
	 * @param series the series
	 * @return the multiple; empty when one of both was not measured, or steady is zero
	 */
	public OptionalDouble againstSteady(Series series) {
		Optional<Figure> steady = figure(series.of(STEADY))
			.or(() -> figure(new Series(series.scenario(), EVERYTHING, STEADY, series.metric())));
		Optional<Figure> figure = figure(series);
		return (figure.isEmpty() || steady.isEmpty() || steady.get().median() == 0) ? OptionalDouble.empty()
				: OptionalDouble.of(figure.get().median() / steady.get().median());
	}

	/**
	 * One series as a multiple of another, round by round, so that what the machine did
	 * to both does not count.
	 * @param series the one
	 * @param base the other
	 * @return the multiples; empty when no round has both
	 */
	public Optional<Figure> byRound(Series series, Series base) {
		List<Double> ratios = this.samples.getOrDefault(series, List.of())
			.stream()
			.flatMap((sample) -> this.samples.getOrDefault(base, List.of())
				.stream()
				.filter((other) -> other.round() == sample.round() && other.value() != 0)
				.map((other) -> sample.value() / other.value()))
			.toList();
		return ratios.isEmpty() ? Optional.empty() : Optional.of(Figure.of(Unit.RATIO, ratios));
	}

}
