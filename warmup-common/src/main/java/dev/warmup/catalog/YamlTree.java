package dev.warmup.catalog;

import java.util.Optional;
import java.util.regex.Pattern;

import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.composer.Composer;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.CollectionEndEvent;
import org.yaml.snakeyaml.events.CollectionStartEvent;
import org.yaml.snakeyaml.events.DocumentStartEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.ReaderException;
import org.yaml.snakeyaml.reader.StreamReader;
import org.yaml.snakeyaml.resolver.Resolver;

/**
 * Parses text into YAML nodes, which know their line and column. Accepts plain YAML only:
 * one document without anchors, aliases and type tags, nested 50 levels at most.
 */
final class YamlTree {

	private static final int DEEPEST = 50;

	private YamlTree() {
	}

	/**
	 * Parses one document.
	 * @return its root; empty if there is no document
	 * @throws InvalidCatalogException if the text is not plain YAML; lists every anchor,
	 * alias and type tag, or the first other problem
	 */
	static Optional<Node> parse(String text, Problems problems) {
		LoaderOptions options = new LoaderOptions();
		options.setNestingDepthLimit(DEEPEST + 1); // of a scalar
		try {
			check(new ParserImpl(new StreamReader(text), options), problems);
			problems.throwIfAny();
			ParserImpl parser = new ParserImpl(new StreamReader(text), options);
			return Optional.ofNullable(new Composer(parser, new CoreSchema(), options).getSingleNode());
		}
		catch (MarkedYAMLException ex) {
			throw problems.fatal(ex.getProblemMark(), "not valid YAML: " + ex.getProblem().strip(),
					fix(text, ex.getProblemMark()));
		}
		catch (ReaderException ex) {
			String before = text.substring(0, text.offsetByCodePoints(0, ex.getPosition()));
			int line = (int) before.chars().filter((character) -> character == '\n').count();
			throw problems.fatal(Problems.mark(line, before.length() - before.lastIndexOf('\n') - 1),
					"not valid YAML: found the unprintable character U+%04X".formatted(ex.getCodePoint()),
					"remove it, or write it as an escape in double quotes");
		}
	}

	/** Notes what the catalog does not support, although it is valid YAML. */
	private static void check(ParserImpl parser, Problems problems) {
		int documents = 0;
		int depth = 0;
		while (!parser.checkEvent(Event.ID.StreamEnd)) {
			Event event = parser.getEvent();
			if (event instanceof DocumentStartEvent && ++documents > 1) {
				throw problems.fatal(event.getStartMark(), "another document begins",
						"keep one document, without a second ---");
			}
			if (event instanceof CollectionStartEvent && ++depth > DEEPEST) {
				throw problems.fatal(event.getStartMark(), "nested deeper than %d levels".formatted(DEEPEST),
						"reduce the nesting");
			}
			if (event instanceof CollectionEndEvent) {
				depth--;
			}
			if (event instanceof NodeEvent node) {
				check(node, problems);
			}
		}
	}

	private static void check(NodeEvent node, Problems problems) {
		if (node.getAnchor() != null) {
			String kind = (node instanceof AliasEvent) ? "alias *" : "anchor &";
			problems.add(node.getStartMark(), "", "the %s%s is not supported".formatted(kind, node.getAnchor()),
					"use variables and defaults, or put quotes around text that begins with * or &");
		}
		String tag = (node instanceof ScalarEvent scalar) ? scalar.getTag()
				: (node instanceof CollectionStartEvent collection) ? collection.getTag() : null;
		if (tag != null) {
			problems.add(node.getStartMark(), "", "the type tag %s is not supported".formatted(tag),
					"remove the tag, or put quotes around text that begins with !");
		}
	}

	/** By the character that the parser did not expect. */
	private static String fix(String text, Mark at) {
		String line = text.lines().skip(at.getLine()).findFirst().orElse("");
		return switch ((at.getColumn() < line.length()) ? line.charAt(at.getColumn()) : ' ') {
			case '\t' -> "use spaces";
			case '?' -> "put quotes around text with a ?, such as \"GET /rooms?page=1\"";
			default -> "correct the syntax here or on the line before, or "
					+ (line.contains("{{") ? Problems.QUOTES : "put quotes around the text");
		};
	}

	/**
	 * The core schema of YAML 1.2, which editors use: {@code yes} is a string, and
	 * {@code 12:30} no number.
	 */
	private static final class CoreSchema extends Resolver {

		@Override
		protected void addImplicitResolvers() {
			addImplicitResolver(Tag.BOOL, Pattern.compile("true|True|TRUE|false|False|FALSE"), "tTfF");
			addImplicitResolver(Tag.INT, Pattern.compile("[-+]?[0-9]{1,100}"), "-+0123456789");
			addImplicitResolver(Tag.FLOAT,
					Pattern.compile("[-+]?(\\.[0-9]{1,100}|[0-9]{1,100}(\\.[0-9]{0,100})?)([eE][-+]?[0-9]{1,3})?"),
					"-+.0123456789");
			addImplicitResolver(Tag.NULL, Pattern.compile("~|null|Null|NULL"), "~nN");
			addImplicitResolver(Tag.NULL, Pattern.compile(""), null);
		}

	}

}
