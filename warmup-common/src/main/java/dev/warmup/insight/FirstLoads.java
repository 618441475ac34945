package dev.warmup.insight;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Tells classes by the scenario whose first repetition was under way. */
final class FirstLoads {

	private static final int ORIGINS_TOLD = 5;

	private FirstLoads() {
	}

	/**
	 * Groups classes.
	 * @param loaded what was loaded
	 * @param begin when the first scenario began
	 * @param ends when the first repetition of each scenario ended, in their order, one
	 * after another
	 * @return each scenario's classes in the order of loading; what was loaded before and
	 * after all of them is left out
	 */
	static Map<String, List<LoadedClass>> of(List<LoadedClass> loaded, Instant begin, Map<String, Instant> ends) {
		Map<String, List<LoadedClass>> byScenario = new LinkedHashMap<>();
		Instant from = begin;
		for (Map.Entry<String, Instant> end : ends.entrySet()) {
			Instant since = from;
			byScenario.put(end.getKey(),
					loaded.stream()
						.filter((each) -> each.at().isAfter(since) && !each.at().isAfter(end.getValue()))
						.sorted(Comparator.comparing(LoadedClass::at))
						.toList());
			from = end.getValue();
		}
		return byScenario;
	}

	/**
	 * How many come from where, most first, such as {@code  (io.r2dbc 120, org.h2 31)}.
	 */
	static String origins(List<LoadedClass> loaded) {
		Map<String, Long> counts = loaded.stream()
			.collect(Collectors.groupingBy(LoadedClass::origin, Collectors.counting()));
		List<Map.Entry<String, Long>> most = new ArrayList<>(counts.entrySet());
		most.sort(Map.Entry.<String, Long>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey()));
		String told = most.stream()
			.limit(ORIGINS_TOLD)
			.map((entry) -> entry.getKey() + " " + entry.getValue())
			.collect(Collectors.joining(", "));
		return told.isEmpty() ? "" : " (" + told + ((most.size() > ORIGINS_TOLD) ? ", ..." : "") + ")";
	}

}
