package dev.warmup.catalog;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;

import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import tools.jackson.databind.JsonNode;

/**
 * One place in the file: its node, the words an operator knows it by, and where its
 * problems go. Each method that asks for a type notes a problem, and returns empty, when
 * the file holds another.
 *
 * @param node the value
 * @param path the words for it
 * @param group whether it is a scenario or request, whose parts stand behind a {@code >}
 * @param problems collects what is wrong
 */
record Entry(Node node, String path, boolean group, Problems problems) {

	static Entry root(Node node, Problems problems) {
		return new Entry(node, "", false, problems);
	}

	void problem(String problem, String mend) {
		this.problems.add(this.node.getStartMark(), this.path.isEmpty() ? "catalog" : this.path, problem, mend);
	}

	/** The same place with the name that the file gives it. */
	Entry named(Optional<String> name) {
		return new Entry(this.node, this.path + name.map(" '%s'"::formatted).orElse(""), true, this.problems);
	}

	Entry child(String key, Node value) {
		String separator = this.path.isEmpty() ? "" : (this.group ? " > " : ".");
		return new Entry(value, this.path + separator + key, false, this.problems);
	}

	/** A mapping with known keys only; an unknown key is a problem. */
	Optional<Fields> fields(Set<String> allowed) {
		return fields().map((fields) -> fields.closed(allowed));
	}

	/** A mapping with any keys. */
	Optional<Fields> fields() {
		if (this.node instanceof MappingNode mapping) {
			return Optional.of(Fields.of(this, mapping));
		}
		wrongType("a mapping", "write keys with values");
		return Optional.empty();
	}

	/** A list. */
	Optional<List<Entry>> items() {
		if (this.node instanceof SequenceNode sequence) {
			List<Node> nodes = sequence.getValue();
			return Optional.of(IntStream.range(0, nodes.size())
				.mapToObj((i) -> new Entry(nodes.get(i), "%s[%d]".formatted(this.path, i), this.group, this.problems))
				.toList());
		}
		wrongType("a list", "write a list: [a, b], or one item a line behind '- '");
		return Optional.empty();
	}

	/** A string. */
	Optional<String> text() {
		return text("put quotes around it");
	}

	Optional<String> text(String mend) {
		return scalar("a string", mend, JsonNode::isString).map(JsonNode::asString);
	}

	/** A string of one line that is not blank, fit to be a name. */
	Optional<String> line() {
		Optional<String> text = text();
		Optional<String> line = text.filter((known) -> !known.isBlank() && known.lines().count() == 1);
		if (text.isPresent() && line.isEmpty()) {
			problem("'%s' is not a line of text".formatted(text.get()), "write some text on one line");
		}
		return line;
	}

	/** A string, number or boolean. */
	Optional<JsonNode> scalar() {
		return scalar("a string, number or boolean", "write a single value", (value) -> !value.isNull());
	}

	/** Either {@code true} or {@code false}. */
	Optional<Boolean> flag() {
		return scalar("true or false", "write true or false, without quotes", JsonNode::isBoolean)
			.map(JsonNode::asBoolean);
	}

	/** A whole number in a range, both ends included. */
	Optional<Integer> integer(int least, int most) {
		String mend = (least == most) ? "write " + least : "write a number from %d to %d".formatted(least, most);
		Optional<JsonNode> number = scalar("a whole number", mend, JsonNode::isIntegralNumber);
		Optional<Integer> inRange = number.filter(JsonNode::canConvertToInt)
			.map(JsonNode::asInt)
			.filter((value) -> value >= least && value <= most);
		if (number.isPresent() && inRange.isEmpty()) {
			problem("%s is not possible here".formatted(number.get()), mend);
		}
		return inRange;
	}

	boolean isNull() {
		return this.node instanceof ScalarNode scalar && Scalars.value(scalar).isNull();
	}

	boolean isString() {
		return this.node instanceof ScalarNode scalar && Scalars.value(scalar).isString();
	}

	boolean isList() {
		return this.node instanceof SequenceNode;
	}

	boolean isMapping() {
		return this.node instanceof MappingNode;
	}

	void wrongType(String expected, String mend) {
		problem("found %s, expected %s".formatted(Scalars.kind(this.node), expected), mend);
	}

	private Optional<JsonNode> scalar(String expected, String mend, Predicate<JsonNode> fits) {
		Optional<JsonNode> value = (this.node instanceof ScalarNode scalar) ? Optional.of(Scalars.value(scalar))
				: Optional.empty();
		if (value.filter(fits).isEmpty()) {
			wrongType(expected, mend);
		}
		return value.filter(fits);
	}

}
