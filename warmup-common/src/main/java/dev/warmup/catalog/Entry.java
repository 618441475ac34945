package dev.warmup.catalog;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

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

	void problem(String problem, String fix) {
		this.problems.add(this.node.getStartMark(), this.path.isEmpty() ? "catalog" : this.path, problem, fix);
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

	Optional<String> text(String fix) {
		return scalar("a string", fix, JsonNode::isString).map(JsonNode::asString);
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
		String fix = (least == most) ? "write " + least : "write a number from %d to %d".formatted(least, most);
		Optional<JsonNode> number = scalar("a whole number", fix, JsonNode::isIntegralNumber);
		Optional<Integer> inRange = number.filter(JsonNode::canConvertToInt)
			.map(JsonNode::asInt)
			.filter((value) -> value >= least && value <= most);
		if (number.isPresent() && inRange.isEmpty()) {
			problem("%s is not possible here".formatted(number.get()), fix);
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

	void wrongType(String expected, String fix) {
		problem("found %s, expected %s".formatted(Scalars.kind(this.node), expected), fix);
	}

	private Optional<JsonNode> scalar(String expected, String fix, Predicate<JsonNode> fits) {
		Optional<JsonNode> value = (this.node instanceof ScalarNode scalar) ? Optional.of(Scalars.value(scalar))
				: Optional.empty();
		if (value.filter(fits).isEmpty()) {
			wrongType(expected, fix);
		}
		return value.filter(fits);
	}

	/**
	 * The keys of a mapping, in file order.
	 *
	 * @param owner the mapping
	 * @param keys the place of each key
	 * @param values the value of each key
	 */
	record Fields(Entry owner, Map<String, Entry> keys, Map<String, Entry> values) {

		/**
		 * Reads the keys; one that stands twice is a problem, and its first value is
		 * kept.
		 */
		static Fields of(Entry owner, MappingNode mapping) {
			Map<String, Entry> keys = new LinkedHashMap<>();
			Map<String, Entry> values = new LinkedHashMap<>();
			for (NodeTuple tuple : mapping.getValue()) {
				if (tuple.getKeyNode() instanceof ScalarNode scalar) {
					String key = scalar.getValue();
					Entry place = owner.child(key, scalar);
					if (keys.putIfAbsent(key, place) != null) {
						place.problem("the key '%s' stands twice in this mapping".formatted(key), "keep one of them");
					}
					values.putIfAbsent(key, owner.child(key, tuple.getValueNode()));
				}
				else {
					owner.child("?", tuple.getKeyNode()).wrongType("a key", "write a single word as the key");
				}
			}
			return new Fields(owner, Collections.unmodifiableMap(keys), Collections.unmodifiableMap(values));
		}

		Fields closed(Set<String> allowed) {
			this.keys.forEach((key, place) -> {
				if (!allowed.contains(key)) {
					place.problem("unknown key '%s'".formatted(key), Problems.Suggestion.amongKeys(key, allowed));
				}
			});
			return this;
		}

		Optional<Entry> find(String key) {
			return Optional.ofNullable(this.values.get(key));
		}

		/** The place of a key that stands here. */
		Entry key(String name) {
			return Objects.requireNonNull(this.keys.get(name));
		}

		/** The value of a key; its absence is a problem. */
		Optional<Entry> require(String key, String fix) {
			Optional<Entry> value = find(key);
			if (value.isEmpty()) {
				this.owner.problem("'%s' is missing".formatted(key), fix);
			}
			return value;
		}

		/** Those of the given keys that stand here, in file order. */
		List<String> present(Set<String> of) {
			List<String> present = new ArrayList<>(this.keys.keySet());
			present.retainAll(of);
			return present;
		}

	}

	/** Single values of the file as JSON knows them. */
	static final class Scalars {

		private Scalars() {
		}

		static JsonNode value(ScalarNode node) {
			JsonNodeFactory json = JsonNodeFactory.instance;
			Tag tag = node.getTag();
			String text = node.getValue();
			if (tag.equals(Tag.NULL)) {
				return json.nullNode();
			}
			if (tag.equals(Tag.BOOL)) {
				return json.booleanNode(Boolean.parseBoolean(text));
			}
			if (tag.equals(Tag.INT)) {
				BigInteger number = new BigInteger(text);
				return (number.bitLength() < Long.SIZE) ? json.numberNode(number.longValue()) : json.numberNode(number);
			}
			return tag.equals(Tag.FLOAT) ? json.numberNode(new BigDecimal(text)) : json.stringNode(text);
		}

		/** What the file holds, in words. */
		static String kind(Node node) {
			if (node instanceof ScalarNode scalar) {
				JsonNode value = value(scalar);
				return switch (value.getNodeType()) {
					case NULL -> "nothing";
					case BOOLEAN -> "the boolean " + value;
					case NUMBER -> "the number " + value;
					default -> (scalar.getValue().length() > 40) ? "a long string" : "the string " + value;
				};
			}
			return (node instanceof MappingNode) ? "a mapping" : "a list";
		}

	}

	/**
	 * Looks ahead in the tree, and notes no problem: what is wrong is said when it is
	 * read.
	 */
	static final class Outline {

		private Outline() {
		}

		/** The name a scenario or request is known by: its own, or its short form. */
		static Optional<String> label(Node node) {
			return text(node).or(() -> name(node));
		}

		static Optional<String> name(Node node) {
			return child(node, "name").flatMap(Outline::text);
		}

		static Stream<Node> items(Optional<Node> list) {
			return list.filter(SequenceNode.class::isInstance)
				.map((node) -> ((SequenceNode) node).getValue())
				.orElse(List.of())
				.stream();
		}

		static Optional<Node> child(Node node, String key) {
			if (!(node instanceof MappingNode mapping)) {
				return Optional.empty();
			}
			return mapping.getValue()
				.stream()
				.filter((tuple) -> tuple.getKeyNode() instanceof ScalarNode scalar && scalar.getValue().equals(key))
				.map((tuple) -> Objects.requireNonNull(tuple.getValueNode()))
				.findFirst();
		}

		/** The names that a request captures. */
		static Set<String> captures(Node request) {
			return child(request, "capture").map(Outline::keys).orElse(Set.of());
		}

		static Set<String> keys(Node node) {
			Set<String> keys = new LinkedHashSet<>();
			if (node instanceof MappingNode mapping) {
				mapping.getValue().forEach((tuple) -> text(tuple.getKeyNode()).ifPresent(keys::add));
			}
			return keys;
		}

		private static Optional<String> text(Node node) {
			return (node instanceof ScalarNode scalar) ? Optional.of(scalar.getValue()) : Optional.empty();
		}

	}

}
