package dev.warmup.catalog;

import java.util.Optional;

import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.composer.Composer;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.ReaderException;
import org.yaml.snakeyaml.reader.StreamReader;

/** Reads text into YAML nodes, which know their line and column. */
final class YamlTree {

	private static final int MOST_ALIASES = 50;

	private final Problems problems;

	private YamlTree(Problems problems) {
		this.problems = problems;
	}

	/**
	 * Parses one document.
	 * @return its root, safe to walk; empty if there is no document
	 * @throws InvalidCatalogException at the first thing that is not plain, bounded YAML
	 */
	static Optional<Node> parse(String text, Problems problems) {
		Optional<Node> root = new YamlTree(problems).compose(text);
		root.ifPresent((node) -> new TreeLimits(problems).check(node));
		return root;
	}

	private Optional<Node> compose(String text) {
		LoaderOptions options = new LoaderOptions();
		options.setMaxAliasesForCollections(MOST_ALIASES);
		options.setCodePointLimit(CatalogFiles.LARGEST);
		TracingParser parser = new TracingParser(text, options);
		try {
			return Optional.ofNullable(new Composer(parser, new CoreSchema(), options).getSingleNode());
		}
		catch (MarkedYAMLException ex) {
			Mark mark = (ex.getProblemMark() != null) ? ex.getProblemMark() : parser.last;
			throw syntax(mark.getLine() + 1, mark.getColumn() + 1, String.valueOf(ex.getProblem()));
		}
		catch (ReaderException ex) {
			String before = text.substring(0, text.offsetByCodePoints(0, ex.getPosition()));
			int line = (int) before.chars().filter((character) -> character == '\n').count() + 1;
			throw syntax(line, before.length() - before.lastIndexOf('\n'),
					"found the unprintable character U+%04X".formatted(ex.getCodePoint()));
		}
		catch (YAMLException ex) {
			throw syntax(parser.last.getLine() + 1, parser.last.getColumn() + 1, String.valueOf(ex.getMessage()));
		}
	}

	private InvalidCatalogException syntax(int line, int column, String problem) {
		return this.problems.fatal(line, column, "not valid YAML: " + problem.strip(), mend(problem));
	}

	private static String mend(String problem) {
		if (problem.contains("\\t")) {
			return "use spaces";
		}
		if (problem.contains("aliases")) {
			return "write the values out instead of using aliases";
		}
		if (problem.contains("tag is not allowed")) {
			return "remove the tag";
		}
		if (problem.startsWith("Nesting")) {
			return "nest less";
		}
		if (problem.contains("another document")) {
			return "keep one document, without a second ---";
		}
		return "correct the syntax here or on the line before";
	}

	/** Remembers where it is, since not every error of the composer tells. */
	private static final class TracingParser extends ParserImpl {

		private Mark last = new Mark("catalog", 0, 0, 0, new int[0], 0);

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

}
