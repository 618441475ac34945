package dev.warmup.e2e;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * What an expression of Prometheus asks for. Knows no more of the language than it takes
 * to tell names of metrics and labels from the rest: whether an expression is valid, and
 * means what it should, only a Prometheus can tell.
 *
 * @param selectors the series it selects, in their order
 * @param groupings the labels by which it groups or joins them
 */
record PromQl(List<Selector> selectors, Set<String> groupings) {

	private static final Pattern TOKEN = Pattern.compile(
			"#[^\n]*|\"(?:\\\\.|[^\"\\\\])*\"|'(?:\\\\.|[^'\\\\])*'|`[^`]*`|\\d[\\w.]*|[a-zA-Z_:][\\w:]*|=~|!~|!=|\\S");

	private static final Set<String> BEFORE_LABELS = Set.of("by", "without", "on", "ignoring", "group_left",
			"group_right");

	private static final Set<String> KEYWORDS = Set.of("and", "or", "unless", "bool", "offset", "atan2", "inf", "nan");

	/**
	 * Reads an expression.
	 * @param expression the expression, without variables of Grafana
	 * @return what it asks for
	 * @throws IllegalArgumentException if it selects series without naming a metric
	 */
	static PromQl of(String expression) {
		return new Reader(expression).read();
	}

	/**
	 * Series by metric and labels.
	 *
	 * @param metric the metric's name
	 * @param labels the labels that are asked for
	 * @param text the selector as it is written, without a range
	 */
	record Selector(String metric, Set<String> labels, String text) {

	}

	private static final class Reader {

		private final List<String> tokens;

		private final List<Selector> selectors = new ArrayList<>();

		private final Set<String> groupings = new TreeSet<>();

		private int next;

		Reader(String expression) {
			this.tokens = TOKEN.matcher(expression)
				.results()
				.map(MatchResult::group)
				.filter((token) -> !token.startsWith("#"))
				.toList();
		}

		PromQl read() {
			while (this.next < this.tokens.size()) {
				String token = this.tokens.get(this.next++);
				if (token.equals("{")) {
					throw new IllegalArgumentException("A selector without a metric's name in " + this.tokens);
				}
				if (token.equals("[")) {
					until("]");
				}
				else if (isName(token)) {
					name(token);
				}
			}
			return new PromQl(this.selectors, this.groupings);
		}

		private void name(String name) {
			if (BEFORE_LABELS.contains(name)) {
				if (peek("(")) {
					until(")").stream().filter(Reader::isName).forEach(this.groupings::add);
				}
			}
			else if (!KEYWORDS.contains(name) && !peek("(") && !peek("by") && !peek("without")) {
				selector(name);
			}
		}

		private void selector(String metric) {
			List<String> matchers = peek("{") ? until("}") : List.of();
			this.selectors.add(new Selector(metric, new TreeSet<>(matchers.stream().filter(Reader::isName).toList()),
					metric + String.join("", matchers)));
		}

		private List<String> until(String end) {
			int from = this.next;
			while (!peek(end)) {
				if (this.next == this.tokens.size()) {
					throw new IllegalArgumentException("No " + end + " in " + this.tokens);
				}
				this.next++;
			}
			this.next++;
			return this.tokens.subList(from, this.next);
		}

		private boolean peek(String token) {
			return this.next < this.tokens.size() && this.tokens.get(this.next).equals(token);
		}

		private static boolean isName(String token) {
			return Character.isLetter(token.charAt(0)) || token.charAt(0) == '_' || token.charAt(0) == ':';
		}

	}

}
