package dev.warmup.catalog;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

import dev.warmup.protocol.Trigger;

/** Reads a catalog file, once, and checks it thoroughly. */
final class CatalogReader {

	private static final Set<String> KEYS = Set.of("version", "variables", "defaults", "scenarios");

	private static final Set<String> SCENARIO_KEYS = Set.of("name", "service", "when", "weight", "unsafe", "requests",
			"finally");

	private static final Map<String, Trigger> TRIGGERS = Map.of("startup", Trigger.STARTUP, "idle", Trigger.IDLE,
			"train", Trigger.TRAIN);

	private static final String TRIGGER_FIX = "list one or more of startup, idle, train";

	private final CatalogFiles files;

	private final TemplateReader.Surroundings surroundings;

	private final Problems problems;

	/** The names of the scenarios so far. */
	private final Set<String> names = new HashSet<>();

	CatalogReader(CatalogFiles files, TemplateReader.Surroundings surroundings) {
		this.files = files;
		this.surroundings = surroundings;
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
			.filter(Predicate.not(Entry::isNull))
			.map(this::catalog)
			.orElseGet(() -> Catalog.empty(this.files.location()));
		this.problems.throwIfAny();
		return catalog;
	}

	private String text() {
		try {
			byte[] bytes = this.files.readCatalog()
				.orElseThrow(() -> unreadable("the file is over 1 MiB", "split it, or move bodies to bodyFile"));
			return CatalogFiles.text(bytes).orElseThrow(() -> unreadable("the file is not UTF-8", "save it as UTF-8"));
		}
		catch (FileNotFoundException | NoSuchFileException ex) {
			throw unreadable("the file is missing",
					"create it, or set warmup.catalog to where it is, such as file:/config/warmup-requests.yml");
		}
		catch (IOException ex) {
			throw unreadable(CatalogFiles.withoutLogin("the file cannot be read: " + ex.getMessage()),
					"make it readable, or set warmup.catalog to another");
		}
	}

	private InvalidCatalogException unreadable(String problem, String fix) {
		return this.problems.fatal(Problems.START, problem, fix);
	}

	/** The catalog as far as it can be read; what is wrong is noted as a problem. */
	private Catalog catalog(Entry root) {
		root.allow(KEYS);
		root.require("version", "add 'version: 1'").ifPresent((version) -> version.integer(1, 1));
		Optional<Entry> variables = section(root, "variables");
		Map<String, Template> values = variables.map(this::variables).orElse(Map.of());
		RequestReader.Defaults defaults = section(root, "defaults").map(RequestReader.Defaults::read)
			.orElse(RequestReader.Defaults.NONE);
		Set<String> usable = variables.map(Entry::keys).orElse(Set.of());
		List<Entry> scenarios = section(root, "scenarios").map(Entry::items).orElse(List.of());
		return new Catalog(this.files.location(), values,
				scenarios.stream().map((entry) -> scenario(entry.named(entry.name()), usable, defaults)).toList());
	}

	/** A part of the file; one whose content is commented out is as good as absent. */
	private static Optional<Entry> section(Entry root, String key) {
		return root.find(key).filter((entry) -> !entry.isNull());
	}

	private Map<String, Template> variables(Entry entry) {
		TemplateReader templates = TemplateReader.ofVariables(this.surroundings, entry.keys());
		Map<String, Template> variables = new LinkedHashMap<>();
		entry.fields().forEach((name, value) -> {
			TemplateReader.checkName(name, value);
			variables.put(name, templates.read(value));
		});
		return variables;
	}

	private Scenario scenario(Entry entry, Set<String> variables, RequestReader.Defaults defaults) {
		entry.allow(SCENARIO_KEYS);
		String name = entry.require("name", "add a name that no other scenario has").map(this::name).orElse("");
		Optional<String> service = entry.find("service").flatMap(CatalogReader::service);
		Set<Trigger> when = entry.find("when").map(CatalogReader::triggers).orElse(Set.copyOf(TRIGGERS.values()));
		int weight = entry.find("weight").flatMap((value) -> value.integer(1, 1000)).orElse(1);
		// after a wrong type, each request need not be a problem as well
		boolean unsafe = entry.find("unsafe").map((value) -> value.flag().orElse(true)).orElse(false);
		List<Entry> requests = entry.require("requests", "add a list of requests")
			.map(CatalogReader::requests)
			.orElse(List.of());
		List<Entry> cleanup = entry.find("finally").map(Entry::items).orElse(List.of());
		RequestReader reader = new RequestReader(this.surroundings, this.files, variables, defaults, unsafe,
				Stream.concat(requests.stream(), cleanup.stream()).toList());
		return new Scenario(name, service, when, weight, reader.read(requests), reader.read(cleanup));
	}

	private static Optional<String> service(Entry entry) {
		Optional<String> service = entry.line();
		service.filter((name) -> name.contains("{{"))
			.ifPresent((name) -> entry.problem("the name of a service has no placeholders", "write the name out"));
		return service;
	}

	private String name(Entry entry) {
		Optional<String> name = entry.line();
		name.filter((known) -> !this.names.add(known))
			.ifPresent((known) -> entry.problem("duplicate scenario name '%s'".formatted(known),
					"give each scenario its own name"));
		return name.orElse("");
	}

	private static List<Entry> requests(Entry list) {
		List<Entry> requests = list.items();
		if (list.isList() && requests.isEmpty()) {
			list.problem("the scenario has no requests", "add one, such as GET /chat-service/rooms");
		}
		return requests;
	}

	private static Set<Trigger> triggers(Entry list) {
		Set<Trigger> triggers = EnumSet.noneOf(Trigger.class);
		List<Entry> words = list.items();
		if (list.isList() && words.isEmpty()) {
			list.problem("the scenario is never replayed", TRIGGER_FIX + ", or leave 'when' out");
		}
		words.forEach((at) -> at.text().ifPresent((word) -> {
			Trigger trigger = TRIGGERS.get(word);
			if (trigger == null) {
				at.problem("unknown trigger '%s'".formatted(word), TRIGGER_FIX);
			}
			else if (!triggers.add(trigger)) {
				at.problem("the trigger '%s' occurs twice".formatted(word), "keep one of them");
			}
		}));
		return triggers;
	}

}
