package dev.warmup.catalog;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
		List<RequestTemplate> requests = new ArrayList<>();
		List<RequestTemplate> cleanup = new ArrayList<>();
		readRequests(fields, unsafe, requests, cleanup);
		return name.filter((known) -> !requests.isEmpty())
			.map((known) -> new Scenario(known, service, when, weight, unsafe, requests, cleanup));
	}

	private void readRequests(Fields fields, boolean unsafe, List<RequestTemplate> requests,
			List<RequestTemplate> cleanup) {
		List<Entry> first = fields.require("requests", "add a list of requests")
			.flatMap(Entry::items)
			.orElse(List.of());
		fields.find("requests")
			.filter((entry) -> entry.isList() && first.isEmpty())
			.ifPresent((entry) -> entry.problem("the scenario has no requests",
					"add one, such as GET /chat-service/rooms"));
		List<Entry> last = fields.find("finally").flatMap(Entry::items).orElse(List.of());
		List<Node> all = Stream.concat(first.stream(), last.stream()).map(Entry::node).toList();
		RequestNames requestNames = new RequestNames(
				all.stream().flatMap((node) -> Outline.name(node).stream()).collect(Collectors.toSet()));
		Set<String> captures = all.stream()
			.flatMap((node) -> Outline.captures(node).stream())
			.collect(Collectors.toSet());
		Set<String> captured = new HashSet<>();
		for (Entry entry : Stream.concat(first.stream(), last.stream()).toList()) {
			Names usable = Names.withinRequest(this.variables, captured, captures);
			this.requests
				.read(entry.named(Outline.label(entry.node())),
						new RequestReader.Place(this.variables, usable, requestNames, unsafe))
				.ifPresent((requests.size() + cleanup.size() < first.size()) ? requests::add : cleanup::add);
			captured.addAll(Outline.captures(entry.node()));
		}
	}

	private Optional<String> name(Entry entry) {
		Optional<String> name = entry.line();
		name.filter((known) -> !this.names.add(known))
			.ifPresent((known) -> entry.problem("duplicate scenario name '%s'".formatted(known),
					"give each scenario its own name"));
		return name;
	}

}
