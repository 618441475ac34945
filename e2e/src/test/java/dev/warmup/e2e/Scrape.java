package dev.warmup.e2e;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** What services publish for Prometheus: the metrics, and each one's labels. */
final class Scrape {

	private static final Pattern SAMPLE = Pattern.compile("(?m)^([a-zA-Z_:][\\w:]*)(?:\\{(.*)})? \\S+");

	private static final Pattern LABEL = Pattern.compile("([a-zA-Z_]\\w*)=\"(?:\\\\.|[^\"\\\\])*\"");

	/** Put on each sample by Prometheus: the service, and its address. */
	private static final Set<String> OF_TARGETS = Set.of("job", "instance");

	private final Map<String, Set<String>> labels = new HashMap<>();

	/**
	 * Reads what was scraped.
	 * @param pages the answers, in the text format of Prometheus
	 */
	Scrape(List<String> pages) {
		for (String page : pages) {
			SAMPLE.matcher(page).results().forEach(this::add);
		}
	}

	private void add(MatchResult sample) {
		Set<String> known = this.labels.computeIfAbsent(sample.group(1), (metric) -> new TreeSet<>(OF_TARGETS));
		if (sample.group(2) != null) {
			LABEL.matcher(sample.group(2)).results().forEach((label) -> known.add(label.group(1)));
		}
	}

	/**
	 * Looks for what an expression asks for.
	 * @param query the expression
	 * @return what is missing, a sentence each
	 */
	List<String> missing(PromQl query) {
		List<String> missing = new ArrayList<>();
		Set<String> all = new TreeSet<>();
		for (PromQl.Selector selector : query.selectors()) {
			Set<String> known = this.labels.getOrDefault(selector.metric(), Set.of());
			if (known.isEmpty()) {
				missing.add("No metric " + selector.metric());
			}
			selector.labels()
				.stream()
				.filter((label) -> !known.contains(label))
				.forEach((label) -> missing.add("No label " + label + " of " + selector.metric()));
			all.addAll(known);
		}
		query.groupings()
			.stream()
			.filter((label) -> !all.contains(label))
			.forEach((label) -> missing.add("No label " + label + " to group by"));
		return missing;
	}

}
