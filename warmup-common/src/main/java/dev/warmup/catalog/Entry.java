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
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * One place in the file: its node, the words an operator knows it by, and where its
 * problems go. A method that asks for a type notes a problem, and returns empty, when the
 * file holds another; the look-ups {@link #find}, {@link #keys}, {@link #name} and
 * {@link #label} note none.
 *
 * @param key what stands in front of the value; the value itself if nothing does
 * @param node the value
 * @param path the words for it
 * @param group whether it is a scenario or request, whose parts stand behind a {@code >}
 * @param problems collects what is wrong
 */
record Entry(Node key, Node node, String path, boolean group, Problems problems) {

	private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

	static Entry root(Node node, Problems problems) {
		return new Entry(node, node, "", false, problems);
	}

	/** The same place with the name that the file gives it. */
	Entry named(Optional<String> name) {
		return new Entry(this.key, this.node, this.path + name.map(" '%s'"::formatted).orElse(""), true, this.problems);
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
		problem("found %s, expected %s".formatted(kind(this.node), expected), isPlaceholder() ? Problems.QUOTES : fix);
	}

	/** Whether it may be a placeholder without quotes, which YAML reads as a mapping. */
	private boolean isPlaceholder() {
		return this.node instanceof MappingNode mapping
				&& mapping.getValue().stream().anyMatch((tuple) -> tuple.getKeyNode() instanceof MappingNode);
	}

	boolean isNull() {
		return this.node instanceof ScalarNode scalar && value(scalar).isNull();
	}

	boolean isString() {
		return this.node instanceof ScalarNode scalar && value(scalar).isString();
	}

	/** Whether this is how the file spells it. */
	boolean isWritten(String text) {
		return written(this.node).filter(text::equals).isPresent();
	}

	boolean isList() {
		return this.node instanceof SequenceNode;
	}

	boolean isMapping() {
		return this.node instanceof MappingNode;
	}

	/** The value of a key, the first if it occurs twice; empty if it is absent. */
	Optional<Entry> find(String name) {
		return children().filter((child) -> written(child.key).filter(name::equals).isPresent()).findFirst();
	}

	/** The keys of a mapping, in file order; empty for anything else. */
	Set<String> keys() {
		Set<String> keys = new LinkedHashSet<>();
		children().forEach((child) -> written(child.key).ifPresent(keys::add));
		return keys;
	}

	/** The name that a scenario or request gives itself. */
	Optional<String> name() {
		return find("name").flatMap((name) -> written(name.node));
	}

	/** The name a request is known by: its short form, or its own. */
	Optional<String> label() {
		return written(this.node).or(this::name);
	}

	/** The value of a key; its absence from a mapping is a problem. */
	Optional<Entry> require(String name, String fix) {
		Optional<Entry> value = find(name);
		if (isMapping() && value.isEmpty()) {
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

	/** The values of a mapping, in file order; a key may not occur twice, or merge. */
	Map<String, Entry> fields() {
		if (!isMapping()) {
			wrongType("a mapping", "write keys with values");
		}
		Map<String, Entry> fields = new LinkedHashMap<>();
		children().forEach((child) -> {
			Optional<String> name = written(child.key);
			if (name.isEmpty()) {
				child.keyProblem("found %s, expected a key".formatted(kind(child.key)),
						isPlaceholder() ? Problems.QUOTES : "write a single word as the key");
			}
			else if (child.key instanceof ScalarNode scalar && scalar.isPlain() && name.get().equals("<<")) {
				child.keyProblem("merge keys are not supported", "write the keys out, or '<<' in quotes for a name");
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
		Optional<String> line = text.filter(Entry::isLine);
		if (text.isPresent() && line.isEmpty()) {
			problem("'%s' is not on one line".formatted(text.get()), "write it on one line");
		}
		return line;
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
		String fix = (least == most) ? "write " + least : "write a number from %d to %d".formatted(least, most);
		Optional<JsonNode> number = scalar("a whole number", fix, JsonNode::isIntegralNumber);
		Optional<Integer> inRange = number.filter(JsonNode::canConvertToInt)
			.map(JsonNode::asInt)
			.filter((value) -> value >= least && value <= most);
		if (number.isPresent() && inRange.isEmpty()) {
			problem("%s is out of range".formatted(number.get()), fix);
		}
		return inRange;
	}

	/** The whole tree as JSON, with what a function makes of each string. */
	JsonNode json(BiFunction<Entry, String, JsonNode> strings) {
		if (this.node instanceof ScalarNode scalar) {
			JsonNode value = value(scalar);
			return value.isString() ? strings.apply(this, value.asString()) : value;
		}
		if (isList()) {
			ArrayNode array = JSON.arrayNode();
			items().forEach((item) -> array.add(item.json(strings)));
			return array;
		}
		ObjectNode object = JSON.objectNode();
		fields().forEach((name, value) -> object.set(name, value.json(strings)));
		return object;
	}

	private Optional<JsonNode> scalar(String expected, String fix, Predicate<JsonNode> fits) {
		Optional<JsonNode> value = (this.node instanceof ScalarNode scalar) ? Optional.of(value(scalar)).filter(fits)
				: Optional.empty();
		if (value.isEmpty()) {
			wrongType(expected, fix);
		}
		return value;
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
			BigInteger number = new BigInteger(text);
			return (number.bitLength() < Long.SIZE) ? JSON.numberNode(number.longValue()) : JSON.numberNode(number);
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
