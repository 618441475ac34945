package dev.warmup.catalog;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * One place in the file: the value, the key in front of it (or the value again), the
 * words an operator knows it by, whether it is a scenario or request, whose parts stand
 * behind a {@code >}, and where its problems go. A method that asks for a type notes a
 * problem, and returns empty, when the file holds another; {@link #find} and
 * {@link #keys} note none.
 */
record Entry(Node key, Node node, String path, boolean group, Problems problems) {

	private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

	static Entry root(Node node, Problems problems) {
		return new Entry(node, node, "", false, problems);
	}

	/** A scenario or request, known by its short form or the name it gives itself. */
	Entry named() {
		String name = written(this.node).or(() -> find("name").flatMap((at) -> written(at.node)))
			.map(" '%s'"::formatted)
			.orElse("");
		return new Entry(this.key, this.node, this.path + name, true, this.problems);
	}

	/** Notes a problem of the value. */
	void problem(String problem, String fix) {
		this.problems.add(this.node.getStartMark(), this.path, problem, fix);
	}

	/** Notes a problem of the key. */
	void keyProblem(String problem, String fix) {
		this.problems.add(this.key.getStartMark(), this.path, problem, fix);
	}

	void wrongType(String expected, String fix) {
		// a placeholder without quotes is a mapping with a mapping as its key
		boolean placeholder = this.node instanceof MappingNode mapping
				&& mapping.getValue().stream().anyMatch((tuple) -> tuple.getKeyNode() instanceof MappingNode);
		problem("found %s, expected %s".formatted(kind(this.node), expected), placeholder ? Problems.QUOTES : fix);
	}

	/** Whether the file holds a value with one of YAML's own tags. */
	boolean is(Tag tag) {
		return this.node.getTag().equals(tag);
	}

	/** Whether this is how the file spells it. */
	boolean isWritten(String text) {
		return written(this.node).filter(text::equals).isPresent();
	}

	/** The value of a key, the first if it occurs twice; empty if it is absent. */
	Optional<Entry> find(String name) {
		return children().filter((child) -> written(child.key).filter(name::equals).isPresent()).findFirst();
	}

	/** The keys of a mapping, in file order; empty for anything else. */
	Set<String> keys() {
		return children().flatMap((child) -> written(child.key).stream())
			.collect(Collectors.toCollection(LinkedHashSet::new));
	}

	/** The value of a key; its absence from a mapping is a problem. */
	Optional<Entry> require(String name, String fix) {
		Optional<Entry> value = find(name);
		if (is(Tag.MAP) && value.isEmpty()) {
			problem("'%s' is missing".formatted(name), fix);
		}
		return value;
	}

	/** Notes a problem for anything but a mapping with these keys. */
	void allow(Set<String> allowed) {
		fields().forEach((name, value) -> {
			if (!allowed.contains(name)) {
				value.keyProblem("unknown key '%s'".formatted(name), Problems.didYouMean(name, allowed)
					.orElseGet(() -> "use one of " + String.join(", ", allowed.stream().sorted().toList())));
			}
		});
	}

	/** The values of a mapping, in file order; a key may not occur twice. */
	Map<String, Entry> fields() {
		if (!is(Tag.MAP)) {
			wrongType("a mapping", "write keys with values");
		}
		Map<String, Entry> fields = new LinkedHashMap<>();
		children().forEach((child) -> {
			Optional<String> name = written(child.key);
			if (name.isEmpty()) {
				child.keyProblem("found %s, expected a key".formatted(kind(child.key)),
						"write a single word as the key, or " + Problems.QUOTES);
			}
			else if (name.get().contains("{{")) {
				child.keyProblem("a key has no placeholders", "write the key out");
			}
			else if (fields.putIfAbsent(name.get(), child) != null) {
				child.keyProblem("the key '%s' occurs twice in this mapping".formatted(name.get()), "keep one of them");
			}
		});
		return fields;
	}

	/** The {@link #fields()} of a key's value; none if the key is absent. */
	Map<String, Entry> fields(String name) {
		return find(name).map(Entry::fields).orElse(Map.of());
	}

	/** The items of a list. */
	List<Entry> items() {
		if (this.node instanceof SequenceNode sequence) {
			List<Node> nodes = sequence.getValue();
			return IntStream.range(0, nodes.size())
				.mapToObj((i) -> new Entry(nodes.get(i), nodes.get(i), "%s[%d]".formatted(this.path, i), this.group,
						this.problems))
				.toList();
		}
		wrongType("a list", "write a list: [a, b], or one item a line after '- '");
		return List.of();
	}

	/** The items of a list that must not be empty. */
	List<Entry> someItems(String fix) {
		List<Entry> items = items();
		if (is(Tag.SEQ) && items.isEmpty()) {
			problem("the list is empty", fix);
		}
		return items;
	}

	Optional<String> text() {
		return scalar("a string", "put quotes around it", JsonNode::isString).map(JsonNode::asString);
	}

	/** A string of one line that is not blank, fit to be a name. */
	Optional<String> line() {
		return scalar("a string on one line without placeholders", "write it out on one line, in quotes",
				(value) -> value.isString() && isLine(value.asString()) && !value.asString().contains("{{"))
			.map(JsonNode::asString);
	}

	/** A name on one line that is not taken yet; takes it. */
	Optional<String> name(Set<String> taken) {
		Optional<String> name = line();
		name.filter((text) -> !taken.add(text))
			.ifPresent((text) -> problem("duplicate name '%s'".formatted(text),
					"give each scenario, and each request of a scenario, its own name"));
		return name;
	}

	/** Whether a text has one line that is not blank; a block scalar ends in a break. */
	static boolean isLine(String text) {
		return !text.isBlank() && text.chars().noneMatch(Character::isISOControl);
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
		String range = (least == most) ? "the number " + least : "a whole number from %d to %d".formatted(least, most);
		return scalar(range, "write " + range, (value) -> value.isIntegralNumber() && value.canConvertToInt()
				&& value.asInt() >= least && value.asInt() <= most)
			.map(JsonNode::asInt);
	}

	/** A single value that fits what is expected. */
	Optional<JsonNode> scalar(String expected, String fix, Predicate<JsonNode> fits) {
		if (this.node instanceof ScalarNode scalar && fits.test(value(scalar))) {
			return Optional.of(value(scalar));
		}
		wrongType(expected, fix);
		return Optional.empty();
	}

	/** The whole tree of JSON values, with what a function makes of each string. */
	Template.Part tree(BiFunction<Entry, String, Template.Part> strings) {
		if (this.node instanceof ScalarNode scalar) {
			JsonNode value = value(scalar);
			return value.isString() ? strings.apply(this, value.asString()) : (scope) -> value;
		}
		if (is(Tag.SEQ)) {
			List<Template.Part> parts = items().stream().map((item) -> item.tree(strings)).toList();
			return (scope) -> parts.stream().map((part) -> part.value(scope)).toList();
		}
		Map<String, Template.Part> parts = new LinkedHashMap<>();
		fields().forEach((name, value) -> parts.put(name, value.tree(strings)));
		return (scope) -> {
			Map<String, Object> values = new LinkedHashMap<>();
			parts.forEach((name, part) -> values.put(name, part.value(scope)));
			return values;
		};
	}

	private Stream<Entry> children() {
		String prefix = this.path.isEmpty() ? "" : this.path + (this.group ? " > " : ".");
		return (this.node instanceof MappingNode mapping) ? mapping.getValue()
			.stream()
			.map((tuple) -> new Entry(tuple.getKeyNode(), tuple.getValueNode(),
					prefix + written(tuple.getKeyNode()).orElse("?"), false, this.problems))
				: Stream.empty();
	}

	private static Optional<String> written(Node node) {
		return (node instanceof ScalarNode scalar) ? Optional.of(scalar.getValue()) : Optional.empty();
	}

	private static JsonNode value(ScalarNode node) {
		Tag tag = node.getTag();
		String text = node.getValue();
		if (tag.equals(Tag.NULL)) {
			return JSON.nullNode();
		}
		if (tag.equals(Tag.BOOL)) {
			return JSON.booleanNode(Boolean.parseBoolean(text));
		}
		if (tag.equals(Tag.INT)) {
			return JSON.numberNode(new BigInteger(text));
		}
		return tag.equals(Tag.FLOAT) ? JSON.numberNode(new BigDecimal(text)) : JSON.stringNode(text);
	}

	/** What the file holds, in words. */
	private static String kind(Node node) {
		if (!(node instanceof ScalarNode scalar)) {
			return (node instanceof MappingNode) ? "a mapping" : "a list";
		}
		JsonNode value = value(scalar);
		return switch (value.getNodeType()) {
			case NULL -> "nothing";
			case BOOLEAN -> "the boolean " + value;
			case NUMBER -> "the number " + value;
			default -> (scalar.getValue().length() > 40) ? "a long string" : "the string " + value;
		};
	}

}
