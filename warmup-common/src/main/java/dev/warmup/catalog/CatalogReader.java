package dev.warmup.catalog;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.warmup.protocol.Trigger;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.Node;

import org.springframework.core.io.Resource;

/** Reads a catalog file and checks it thoroughly. Thread-safe. */
public final class CatalogReader {

	private final TemplateReader templates;

	/** Reads with the environment variables and the clock of this process. */
	public CatalogReader() {
		this(System::getenv, Clock.systemUTC());
	}

	/**
	 * Reads with the given surroundings.
	 * @param environment gives the value of an environment variable, or {@code null} if
	 * it is not set
	 * @param clock tells what {@code now} means
	 */
	public CatalogReader(Function<String, @Nullable String> environment, Clock clock) {
		this.templates = new TemplateReader(environment, clock);
	}

	/**
	 * Reads a catalog, and the body files it names. Blocks while reading.
	 * @param resource the file, in UTF-8, of at most 1 MiB
	 * @return the catalog; empty if the file holds no scenarios
	 * @throws InvalidCatalogException if the file is missing or anything in it is wrong;
	 * lists every problem, or the first one if the file is not bounded, plain YAML
	 */
	public Catalog read(Resource resource) {
		return read(resource, new CatalogFiles(resource));
	}

	Catalog read(Resource resource, CatalogFiles files) {
		String location = CatalogFiles.location(resource);
		Problems problems = new Problems(location);
		Optional<Node> root = YamlTree.parse(text(files, problems), problems);
		Catalog catalog = root.map((node) -> Entry.root(node, problems))
			.filter((entry) -> !entry.isNull())
			.map((entry) -> new DocumentReader(this.templates, files).read(entry, location))
			.orElseGet(() -> new Catalog(location, Map.of(), List.of()));
		problems.throwIfAny();
		return catalog;
	}

	private static String text(CatalogFiles files, Problems problems) {
		byte[] bytes = bytes(files, problems)
			.orElseThrow(() -> problems.fatal(1, 1, "the file is over 1 MiB", "split it, or move bodies to bodyFile"));
		return CatalogFiles.text(bytes)
			.orElseThrow(() -> problems.fatal(1, 1, "the file is not UTF-8", "save it as UTF-8"));
	}

	private static Optional<byte[]> bytes(CatalogFiles files, Problems problems) {
		try {
			return files.readCatalog();
		}
		catch (FileNotFoundException | NoSuchFileException ex) {
			throw problems.fatal(1, 1, "the file is missing", "create it, or set warmup.catalog to where it is");
		}
		catch (IOException ex) {
			throw problems.fatal(1, 1, "the file cannot be read: " + ex.getMessage(),
					"make it readable, or set warmup.catalog to another");
		}
	}

	/** Reads the whole document: its version, variables, defaults and scenarios. */
	static final class DocumentReader {

		private static final Set<String> KEYS = Set.of("version", "variables", "defaults", "scenarios");

		private final TemplateReader templates;

		private final RequestReader.BodyReader bodies;

		DocumentReader(TemplateReader templates, CatalogFiles files) {
			this.templates = templates;
			this.bodies = new RequestReader.BodyReader(templates, files);
		}

		/** The catalog as far as it can be read. */
		Catalog read(Entry root, String location) {
			return root.fields(KEYS).map((fields) -> {
				fields.require("version", "add 'version: 1'").ifPresent((version) -> version.integer(1, 1));
				Map<String, Template> variables = section(fields, "variables").map(this::variables).orElse(Map.of());
				Set<String> names = section(fields, "variables").map((entry) -> Entry.Outline.keys(entry.node()))
					.orElse(Set.of());
				RequestReader.Defaults defaults = section(fields, "defaults").map(RequestReader.Defaults::read)
					.orElse(RequestReader.Defaults.NONE);
				ScenarioReader scenarios = new ScenarioReader(names,
						new RequestReader(this.templates, this.bodies, defaults));
				List<Entry> entries = section(fields, "scenarios").flatMap(Entry::items).orElse(List.of());
				return new Catalog(location, variables,
						entries.stream().flatMap((entry) -> scenarios.read(entry).stream()).toList());
			}).orElseGet(() -> new Catalog(location, Map.of(), List.of()));
		}

		/**
		 * A part of the file; one whose content is commented out is as good as absent.
		 */
		private static Optional<Entry> section(Entry.Fields fields, String key) {
			return fields.find(key).filter((entry) -> !entry.isNull());
		}

		private Map<String, Template> variables(Entry entry) {
			Map<String, Template> variables = new LinkedHashMap<>();
			TemplateReader.Names names = TemplateReader.Names.withinVariables(Entry.Outline.keys(entry.node()));
			entry.fields().ifPresent((fields) -> fields.values().forEach((name, value) -> {
				TemplateReader.Names.checkNew(fields.key(name), name);
				this.templates.read(value, names).ifPresent((template) -> variables.put(name, template));
			}));
			return variables;
		}

	}

	/** Reads scenarios, each with its requests in order. */
	static final class ScenarioReader {

		private static final Set<String> KEYS = Set.of("name", "service", "when", "weight", "unsafe", "requests",
				"finally");

		private final Set<String> variables;

		private final RequestReader requests;

		private final Set<String> names = new HashSet<>();

		ScenarioReader(Set<String> variables, RequestReader requests) {
			this.variables = variables;
			this.requests = requests;
		}

		/**
		 * The scenario as far as it can be read; empty if it lacks a name or requests.
		 */
		Optional<Scenario> read(Entry entry) {
			return entry.named(Entry.Outline.name(entry.node())).fields(KEYS).flatMap(this::read);
		}

		private Optional<Scenario> read(Entry.Fields fields) {
			Optional<String> name = fields.require("name", "add a name that no other scenario has").flatMap(this::name);
			Optional<String> service = fields.find("service").flatMap(Entry::line);
			Set<Trigger> when = fields.find("when").map(WhenReader::read).orElse(WhenReader.ALWAYS);
			int weight = fields.find("weight").flatMap((entry) -> entry.integer(1, 1000)).orElse(1);
			// after a wrong type, each request need not be a problem as well
			boolean unsafe = fields.find("unsafe").map((entry) -> entry.flag().orElse(true)).orElse(false);
			List<Entry> first = requests(fields);
			List<Entry> last = fields.find("finally").flatMap(Entry::items).orElse(List.of());
			Progress progress = Progress.start(Stream.concat(first.stream(), last.stream()).map(Entry::node).toList(),
					unsafe);
			List<RequestTemplate> requests = read(first, progress);
			List<RequestTemplate> cleanup = read(last, progress);
			return name.filter((known) -> !requests.isEmpty())
				.map((known) -> new Scenario(known, service, when, weight, unsafe, requests, cleanup));
		}

		private static List<Entry> requests(Entry.Fields fields) {
			Optional<Entry> list = fields.require("requests", "add a list of requests");
			List<Entry> requests = list.flatMap(Entry::items).orElse(List.of());
			list.filter((entry) -> entry.isList() && requests.isEmpty())
				.ifPresent((entry) -> entry.problem("the scenario has no requests",
						"add one, such as GET /chat-service/rooms"));
			return requests;
		}

		private List<RequestTemplate> read(List<Entry> entries, Progress progress) {
			List<RequestTemplate> requests = new ArrayList<>();
			for (Entry entry : entries) {
				TemplateReader.Names usable = TemplateReader.Names.withinRequest(this.variables, progress.captured(),
						progress.captures());
				RequestReader.Place place = new RequestReader.Place(this.variables, usable, progress.requestNames(),
						progress.unsafe());
				this.requests.read(entry.named(Entry.Outline.label(entry.node())), place).ifPresent(requests::add);
				progress.captured().addAll(Entry.Outline.captures(entry.node()));
			}
			return requests;
		}

		private Optional<String> name(Entry entry) {
			Optional<String> name = entry.line();
			name.filter((known) -> !this.names.add(known))
				.ifPresent((known) -> entry.problem("duplicate scenario name '%s'".formatted(known),
						"give each scenario its own name"));
			return name;
		}

		/**
		 * How far a scenario has been read.
		 *
		 * @param requestNames the names of its requests
		 * @param captures all names it captures anywhere
		 * @param captured those captured so far
		 * @param unsafe whether its requests may change data
		 */
		private record Progress(RequestReader.RequestNames requestNames, Set<String> captures, Set<String> captured,
				boolean unsafe) {

			static Progress start(List<Node> requests, boolean unsafe) {
				Set<String> names = requests.stream()
					.flatMap((node) -> Entry.Outline.name(node).stream())
					.collect(Collectors.toSet());
				Set<String> captures = requests.stream()
					.flatMap((node) -> Entry.Outline.captures(node).stream())
					.collect(Collectors.toSet());
				return new Progress(new RequestReader.RequestNames(names), captures, new HashSet<>(), unsafe);
			}

		}

	}

	/** Reads {@code when}: the triggers that replay a scenario. */
	static final class WhenReader {

		/** What holds where the file does not say. */
		static final Set<Trigger> ALWAYS = Collections
			.unmodifiableSet(EnumSet.of(Trigger.STARTUP, Trigger.IDLE, Trigger.TRAIN));

		private static final Map<String, Trigger> WORDS = Map.of("startup", Trigger.STARTUP, "idle", Trigger.IDLE,
				"train", Trigger.TRAIN);

		private static final String FIX = "list some of startup, idle, train";

		private WhenReader() {
		}

		static Set<Trigger> read(Entry entry) {
			Set<Trigger> when = EnumSet.noneOf(Trigger.class);
			List<Entry> items = entry.items().orElse(List.of());
			if (entry.isList() && items.isEmpty()) {
				entry.problem("the scenario is never replayed", FIX + ", or leave 'when' out");
			}
			items.forEach((item) -> item.text().ifPresent((word) -> add(when, item, word)));
			return when.isEmpty() ? ALWAYS : when;
		}

		private static void add(Set<Trigger> when, Entry item, String word) {
			Trigger trigger = WORDS.get(word);
			if (trigger == null) {
				item.problem("unknown trigger '%s'".formatted(word), FIX);
			}
			else if (!when.add(trigger)) {
				item.problem("the trigger '%s' stands twice".formatted(word), "keep one of them");
			}
		}

	}

}
