package dev.warmup.catalog;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * Looks ahead in the tree, and notes no problem: what is wrong is said when it is read.
 */
final class Outline {

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
