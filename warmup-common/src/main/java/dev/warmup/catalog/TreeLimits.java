package dev.warmup.catalog;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeId;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * Refuses trees that could not be walked safely: endless, huge or deep once aliases are
 * followed, or with types of their own.
 */
final class TreeLimits {

	private static final int MOST_NODES = 50_000;

	private static final int DEEPEST = 60;

	private final CoreSchema schema = new CoreSchema();

	private final Set<Node> open = Collections.newSetFromMap(new IdentityHashMap<>());

	private final Problems problems;

	private int visited;

	TreeLimits(Problems problems) {
		this.problems = problems;
	}

	/**
	 * Walks the whole tree once.
	 * @throws InvalidCatalogException at the first node that breaks a limit
	 */
	void check(Node node) {
		if (!this.open.add(node)) {
			throw fatal(node, "an alias within this value refers to the value itself",
					"write the inner value out instead of using an alias");
		}
		if (++this.visited > MOST_NODES) {
			throw fatal(node, "more than %d values once aliases are followed".formatted(MOST_NODES),
					"use fewer aliases, or split the catalog");
		}
		if (this.open.size() > DEEPEST) {
			throw fatal(node, "nested deeper than %d levels".formatted(DEEPEST), "nest less");
		}
		if (!expectedTag(node)) {
			throw fatal(node, "the type tag %s is not supported".formatted(node.getTag().getValue()), "remove the tag");
		}
		checkChildren(node);
		this.open.remove(node);
	}

	private void checkChildren(Node node) {
		if (node instanceof MappingNode mapping) {
			mapping.getValue().forEach((tuple) -> {
				check(tuple.getKeyNode());
				check(tuple.getValueNode());
			});
		}
		else if (node instanceof SequenceNode sequence) {
			sequence.getValue().forEach(this::check);
		}
	}

	private boolean expectedTag(Node node) {
		if (node instanceof ScalarNode scalar) {
			return node.getTag().equals(Tag.STR) || (scalar.isPlain()
					&& node.getTag().equals(this.schema.resolve(NodeId.scalar, scalar.getValue(), true)));
		}
		return node.getTag().equals((node instanceof MappingNode) ? Tag.MAP : Tag.SEQ);
	}

	private InvalidCatalogException fatal(Node node, String problem, String mend) {
		return this.problems.fatal(node.getStartMark().getLine() + 1, node.getStartMark().getColumn() + 1, problem,
				mend);
	}

}
