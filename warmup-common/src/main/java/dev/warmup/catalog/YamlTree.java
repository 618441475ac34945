package dev.warmup.catalog;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.composer.Composer;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeId;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.ReaderException;
import org.yaml.snakeyaml.reader.StreamReader;
import org.yaml.snakeyaml.resolver.Resolver;

/**
 * Parses text into YAML nodes, which know their line and column. Refuses trees that could
 * not be walked safely: endless, huge or deep once aliases are followed, or with types of
 * their own.
 */
final class YamlTree {

	private static final int MOST_NODES = 50_000;

	private static final int DEEPEST = 60;

	/** By the parser's message. */
	private static final Map<String, String> FIXES = Map.of("\\t", "use spaces", "tag is not allowed", "remove the tag",
			"Nesting", "reduce the nesting", "another document", "keep one document, without a second ---", "'@'",
			"put quotes around the text", "'`'", "put quotes around the text");

	private final CoreSchema schema = new CoreSchema();

	private final Problems problems;

	/** The node that is being checked, and those around it. */
	private final Set<Node> open = Collections.newSetFromMap(new IdentityHashMap<>());

	private int visited;

	private YamlTree(Problems problems) {
		this.problems = problems;
	}

	/**
	 * Parses one document.
	 * @return its root, safe to walk; empty if there is no document
	 * @throws InvalidCatalogException at the first thing that is not plain, bounded YAML
	 */
	static Optional<Node> parse(String text, Problems problems) {
		YamlTree tree = new YamlTree(problems);
		Optional<Node> root = tree.compose(text);
		root.ifPresent(tree::check);
		return root;
	}

	private Optional<Node> compose(String text) {
		LoaderOptions options = new LoaderOptions();
		options.setMaxAliasesForCollections(Integer.MAX_VALUE); // MOST_NODES is the limit
		options.setCodePointLimit(CatalogFiles.LARGEST);
		TracingParser parser = new TracingParser(text, options);
		try {
			return Optional.ofNullable(new Composer(parser, this.schema, options).getSingleNode());
		}
		catch (MarkedYAMLException ex) {
			Mark mark = ex.getProblemMark();
			throw syntax(text, (mark != null) ? mark : parser.last, String.valueOf(ex.getProblem()));
		}
		catch (ReaderException ex) {
			String before = text.substring(0, text.offsetByCodePoints(0, ex.getPosition()));
			int line = (int) before.chars().filter((character) -> character == '\n').count();
			throw syntax(text, Problems.mark(line, before.length() - before.lastIndexOf('\n') - 1),
					"found the unprintable character U+%04X".formatted(ex.getCodePoint()));
		}
		catch (YAMLException ex) {
			throw syntax(text, parser.last, String.valueOf(ex.getMessage()));
		}
	}

	private InvalidCatalogException syntax(String text, Mark at, String problem) {
		boolean placeholder = text.lines().skip(at.getLine()).limit(1).anyMatch((line) -> line.contains("{{"));
		String fix = FIXES.entrySet()
			.stream()
			.filter((entry) -> problem.contains(entry.getKey()))
			.map(Map.Entry::getValue)
			.findFirst()
			.orElse("correct the syntax here or on the line before" + (placeholder ? ", or " + Problems.QUOTES : ""));
		return this.problems.fatal(at, "not valid YAML: " + problem.strip(), fix);
	}

	/** Walks the whole tree once, up to the first node that breaks a limit. */
	private void check(Node node) {
		if (!this.open.add(node)) {
			throw fatal(node, "an alias within this value refers to the value itself",
					"write the inner value out instead of using an alias");
		}
		if (++this.visited > MOST_NODES) {
			throw fatal(node, "more than %d values once aliases are followed".formatted(MOST_NODES),
					"use fewer aliases, or split the catalog");
		}
		if (this.open.size() > DEEPEST) {
			throw fatal(node, "nested deeper than %d levels".formatted(DEEPEST), "reduce the nesting");
		}
		if (!node.getTag().equals(expectedTag(node))) {
			throw fatal(node, "the type tag %s is not supported".formatted(node.getTag().getValue()), "remove the tag");
		}
		if (node instanceof MappingNode mapping) {
			mapping.getValue().forEach((tuple) -> {
				check(tuple.getKeyNode());
				check(tuple.getValueNode());
			});
		}
		else if (node instanceof SequenceNode sequence) {
			sequence.getValue().forEach(this::check);
		}
		this.open.remove(node);
	}

	private Tag expectedTag(Node node) {
		if (node instanceof ScalarNode scalar) {
			boolean text = !scalar.isPlain() || node.getTag().equals(Tag.STR);
			return text ? Tag.STR : this.schema.resolve(NodeId.scalar, scalar.getValue(), true);
		}
		return (node instanceof MappingNode) ? Tag.MAP : Tag.SEQ;
	}

	private InvalidCatalogException fatal(Node node, String problem, String fix) {
		return this.problems.fatal(node.getStartMark(), problem, fix);
	}

	/** Remembers where it is, since not every error of the composer names it. */
	private static final class TracingParser extends ParserImpl {

		private Mark last = Problems.START;

		TracingParser(String text, LoaderOptions options) {
			super(new StreamReader(text), options);
		}

		@Override
		public Event getEvent() {
			Event event = super.getEvent();
			this.last = event.getStartMark();
			return event;
		}

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
