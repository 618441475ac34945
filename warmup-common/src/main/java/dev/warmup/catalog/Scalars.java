package dev.warmup.catalog;

import java.math.BigDecimal;
import java.math.BigInteger;

import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.Tag;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Single values of the file as JSON knows them. */
final class Scalars {

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
