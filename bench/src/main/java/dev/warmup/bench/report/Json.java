package dev.warmup.bench.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.warmup.bench.result.Note;
import dev.warmup.bench.result.Results;
import dev.warmup.bench.result.Sample;
import dev.warmup.bench.result.Series;
import dev.warmup.bench.result.Unit;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;

/**
 * Results as JSON: the same results are the same text, and one series is a few lines.
 */
final class Json {

	private static final int FORMAT = 1;

	private static final MathContext DIGITS = new MathContext(6);

	private static final JsonMapper MAPPER = JsonMapper.builder()
		.disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
		.build();

	private static final ObjectWriter WRITER = MAPPER.writer()
		.with(new DefaultPrettyPrinter().withObjectIndenter(new DefaultIndenter("  ", "\n")));

	private Json() {
	}

	static String write(Results results) {
		return WRITER.writeValueAsString(new Document(FORMAT, results.startedAt(), results.took(), results.quick(),
				results.facts(), results.variants(), rows(results), results.notes())) + "\n";
	}

	private static List<Row> rows(Results results) {
		return Order.of(results).entrySet().stream().map((entry) -> {
			Series series = entry.getKey();
			List<Sample> samples = entry.getValue().stream().sorted(Comparator.comparingInt(Sample::round)).toList();
			return new Row(series.scenario(), series.part(), series.variant(), series.metric(), samples.get(0).unit(),
					samples.stream().map(Sample::round).toList(),
					samples.stream().map((sample) -> rounded(sample.value())).toList());
		}).toList();
	}

	/** Six digits are more than any clock here is good for; whole numbers stay exact. */
	static double rounded(double value) {
		return (!Double.isFinite(value) || value == Math.rint(value)) ? value
				: BigDecimal.valueOf(value).round(DIGITS).doubleValue();
	}

	static Results read(String json) {
		Document document = MAPPER.readValue(json, Document.class);
		if (document.format() != FORMAT) {
			throw new IllegalArgumentException(
					"these are results of format %d, not %d".formatted(document.format(), FORMAT));
		}
		return new Results(document.startedAt(), document.took(), document.quick(), document.facts(),
				document.variants(), document.samples().stream().flatMap(Row::unrolled).toList(), document.notes());
	}

	/** The file. */
	record Document(int format, Instant startedAt, Duration took, boolean quick, Map<String, String> facts,
			Map<String, String> variants, List<Row> samples, List<Note> notes) {

	}

	/** A series with its samples, round by round. */
	record Row(String scenario, String part, String variant, String metric, Unit unit, List<Integer> rounds,
			List<Double> values) {

		Stream<Sample> unrolled() {
			return IntStream.range(0, this.values.size())
				.mapToObj((i) -> new Sample(this.scenario, this.part, this.variant, this.metric, this.unit,
						this.rounds.get(i), this.values.get(i)));
		}

	}

}
