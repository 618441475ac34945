package dev.warmup.catalog;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.warmup.protocol.Trigger;
import org.yaml.snakeyaml.nodes.Node;

/** Reads scenarios, each with its requests in order. */
final class ScenarioReader {

	private static final Set<String> KEYS = Set.of("name", "service", "when", "weight", "unsafe", "requests",
			"finally");

	private final Set<String> variables;

	private final RequestReader requests;

	private final Set<String> names = new HashSet<>();

	ScenarioReader(Set<String> variables, RequestReader requests) {
		this.variables = variables;
		this.requests = requests;
	}

	/** The scenario as far as it can be read; empty if it lacks a name or requests. */
	Optional<Scenario> read(Entry entry) {
		return entry.named(Outline.name(entry.node())).fields(KEYS).flatMap(this::read);
	}

	private Optional<Scenario> read(Fields fields) {
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

	private static List<Entry> requests(Fields fields) {
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
			Names usable = Names.withinRequest(this.variables, progress.captured(), progress.captures());
			RequestReader.Place place = new RequestReader.Place(this.variables, usable, progress.requestNames(),
					progress.unsafe());
			this.requests.read(entry.named(Outline.label(entry.node())), place).ifPresent(requests::add);
			progress.captured().addAll(Outline.captures(entry.node()));
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
	private record Progress(RequestNames requestNames, Set<String> captures, Set<String> captured, boolean unsafe) {

		static Progress start(List<Node> requests, boolean unsafe) {
			Set<String> names = requests.stream()
				.flatMap((node) -> Outline.name(node).stream())
				.collect(Collectors.toSet());
			Set<String> captures = requests.stream()
				.flatMap((node) -> Outline.captures(node).stream())
				.collect(Collectors.toSet());
			return new Progress(new RequestNames(names), captures, new HashSet<>(), unsafe);
		}

	}

}
