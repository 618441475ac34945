package dev.warmup.catalog;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads {@code expect}; what it leaves open is as the defaults say. */
final class ExpectationReader {

	private static final Pattern STATUS = Pattern.compile("[2-5](xx|[0-9]{2})");

	private static final String STATUS_MEND = "write 200, 2xx, or a list such as [200, 404]";

	private ExpectationReader() {
	}

	static Expectation read(Entry entry, Expectation defaults) {
		return entry.fields(Set.of("status", "maxLatency", "json"))
			.map((fields) -> new Expectation(
					fields.find("status").flatMap(ExpectationReader::statuses).orElse(defaults.status()),
					fields.find("maxLatency").flatMap(Durations::read).or(defaults::maxLatency),
					fields.find("json").map((json) -> values(json, defaults.json())).orElse(defaults.json())))
			.orElse(defaults);
	}

	private static Optional<StatusExpectation> statuses(Entry entry) {
		List<Entry> entries = entry.isList() ? entry.items().orElseThrow() : List.of(entry);
		if (entries.isEmpty()) {
			entry.problem("no status is accepted", STATUS_MEND);
		}
		List<String> accepted = entries.stream().flatMap((one) -> status(one).stream()).toList();
		return accepted.isEmpty() ? Optional.empty() : Optional.of(new StatusExpectation(accepted));
	}

	/** An exact status is a number, a class of statuses a string. */
	private static Optional<String> status(Entry entry) {
		return entry.scalar().flatMap((value) -> {
			boolean rightType = value.isIntegralNumber() || (value.isString() && value.asString().endsWith("xx"));
			if (!rightType || !STATUS.matcher(value.asString()).matches()) {
				entry.wrongType("a status from 200 to 599 or a class from 2xx to 5xx", STATUS_MEND);
				return Optional.empty();
			}
			return Optional.of(value.asString());
		});
	}

	private static Map<String, Object> values(Entry entry, Map<String, Object> defaults) {
		Map<String, Object> values = new LinkedHashMap<>(defaults);
		entry.fields().ifPresent((fields) -> fields.values().forEach((path, value) -> {
			CaptureReader.path(fields.key(path), path);
			values.put(path, JsonReader.literal(value));
		}));
		return values;
	}

}
