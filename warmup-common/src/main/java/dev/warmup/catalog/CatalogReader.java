package dev.warmup.catalog;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

import dev.warmup.protocol.Trigger;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.Tag;

/** Reads a catalog file, once, and checks it thoroughly. */
final class CatalogReader {

	private static final Set<String> KEYS = Set.of("version", "variables", "defaults", "scenarios");

	private static final Set<String> SCENARIO_KEYS = Set.of("name", "service", "when", "weight", "unsafe", "requests",
			"finally");

	private static final Map<String, Trigger> TRIGGERS = Map.of("startup", Trigger.STARTUP, "idle", Trigger.IDLE,
			"train", Trigger.TRAIN);

	private static final String TRIGGER_FIX = "write one or more of startup, idle, train";

	private final CatalogFiles files;

	private final Function<String, @Nullable String> environment;

	private final Problems problems;

	/** The names of the scenarios so far. */
	private final Set<String> names = new HashSet<>();

	CatalogReader(CatalogFiles files, Function<String, @Nullable String> environment) {
		this.files = files;
		this.environment = environment;
		this.problems = new Problems(files.location());
	}

	/**
	 * Reads the catalog, in UTF-8 and of at most 1 MiB, and the body files it names.
	 * Empty if the file holds no scenarios. Blocks while reading.
	 * @throws InvalidCatalogException if the file is missing or anything in it is wrong;
	 * lists every problem, or the first one if the file is not bounded, plain YAML
	 */
	Catalog read() {
		Catalog catalog = YamlTree.parse(text(), this.problems)
			.map((node) -> Entry.root(node, this.problems))
			.filter((root) -> !root.is(Tag.NULL))
			.map(this::catalog)
			.orElseGet(() -> Catalog.empty(this.files.location()));
		this.problems.throwIfAny();
		return catalog;
	}

	private String text() {
		try {
			return CatalogFiles.text(this.files.readCatalog())
				.orElseThrow(() -> new IOException("it is not text in UTF-8"));
		}
		catch (FileNotFoundException | NoSuchFileException ex) {
			throw this.problems.fatal(Problems.START, "the file is missing",
					"create it, or set warmup.catalog to where it is, such as file:/config/warmup-requests.yml");
		}
		catch (IOException ex) {
			throw this.problems.fatal(Problems.START, "the file cannot be read: " + ex.getMessage(),
					"make it a readable file in UTF-8 of at most 1 MiB, or set warmup.catalog to another");
		}
	}

	/** The catalog as far as it can be read; what is wrong is noted as a problem. */
	private Catalog catalog(Entry root) {
		root.allow(KEYS);
		root.require("version", "add 'version: 1'").ifPresent((version) -> version.integer(1, 1));
		Map<String, Template> values = section(root, "variables").map(this::variables).orElse(Map.of());
		RequestReader.Defaults defaults = section(root, "defaults").map(RequestReader.Defaults::read)
			.orElse(RequestReader.Defaults.NONE);
		List<Entry> scenarios = section(root, "scenarios").map(Entry::items).orElse(List.of());
		return new Catalog(this.files.location(), values,
				scenarios.stream().map((entry) -> scenario(entry.named(), values.keySet(), defaults)).toList());
	}

	/** A part of the file; one whose content is commented out is as good as absent. */
	private static Optional<Entry> section(Entry root, String key) {
		return root.find(key).filter((entry) -> !entry.is(Tag.NULL));
	}

	private Map<String, Template> variables(Entry entry) {
		TemplateReader templates = new TemplateReader(this.environment, Set.of(), entry.keys());
		Map<String, Template> variables = new LinkedHashMap<>();
		entry.fields().forEach((name, value) -> {
			TemplateReader.checkName(name, value);
			variables.put(name, templates.read(value));
		});
		return variables;
	}

	private Scenario scenario(Entry entry, Set<String> variables, RequestReader.Defaults defaults) {
		entry.allow(SCENARIO_KEYS);
		String name = entry.require("name", "add a name that no other scenario has")
			.flatMap((at) -> at.name(this.names))
			.orElse("");
		Optional<String> service = entry.find("service").flatMap(Entry::line);
		Set<Trigger> when = entry.find("when").map(CatalogReader::triggers).orElse(Set.copyOf(TRIGGERS.values()));
		int weight = entry.find("weight").flatMap((value) -> value.integer(1, 1000)).orElse(1);
		// after a wrong type, each request need not be a problem as well
		boolean unsafe = entry.find("unsafe").map((value) -> value.flag().orElse(true)).orElse(false);
		List<Entry> requests = entry.require("requests", "add a list of requests")
			.map((list) -> list.someItems("add a request, such as GET /chat-service/rooms"))
			.orElse(List.of());
		List<Entry> cleanup = entry.find("finally").map(Entry::items).orElse(List.of());
		RequestReader reader = new RequestReader(this.environment, this.files, variables, defaults, unsafe,
				Stream.concat(requests.stream(), cleanup.stream()).toList());
		return new Scenario(name, service, when, weight, reader.read(requests), reader.read(cleanup));
	}

	private static Set<Trigger> triggers(Entry list) {
		Set<Trigger> triggers = new HashSet<>();
		list.someItems(TRIGGER_FIX)
			.forEach((item) -> item
				.scalar("a trigger", TRIGGER_FIX, (word) -> word.isString() && TRIGGERS.containsKey(word.asString()))
				.map((word) -> TRIGGERS.get(word.asString()))
				.ifPresent(triggers::add));
		return triggers;
	}

}
