package dev.warmup.proposal;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.json.JsonMapper;

/**
 * A scenario for some endpoints. A variable of a path is captured before: from the first
 * of the collection, or, where something is changed, from what the scenario itself makes
 * and removes. It prints as YAML.
 */
final class Script {

	/** Where an answer has no id. */
	private static final Map<String, String> LOCATION = Map.of("header", "Location", "regex", "([^/]+)/?$");

	/** Those that a person has to fill in, each with the endpoint that needs it. */
	final Map<String, String> variables = new TreeMap<>();

	private final List<Endpoint> all;

	private final String base;

	private final JsonMapper mapper;

	private final Endpoint target;

	private final String name;

	private final Set<Object> requests = new LinkedHashSet<>();

	private final List<String> cleanup = new ArrayList<>();

	private final Set<String> notes = new LinkedHashSet<>();

	/**
	 * Writes the scenario.
	 * @param all where it looks for what it needs
	 * @param base what paths begin with
	 * @param targets several where none needs anything
	 */
	Script(List<Endpoint> all, String base, JsonMapper mapper, List<Endpoint> targets) {
		this.all = all;
		this.base = base;
		this.mapper = mapper;
		this.target = targets.get(0);
		this.name = (targets.size() > 1) ? "ready" : this.target.key();
		targets.forEach((each) -> add(each, ""));
		if (!this.target.isSafe() && this.cleanup.isEmpty()) {
			this.notes.add("check what it changes, and how that is undone");
		}
	}

	private void add(Endpoint endpoint, String variable) {
		Map<String, Object> request = new LinkedHashMap<>();
		String path = path(endpoint);
		request.put("method", endpoint.method());
		request.put("path", path);
		if (!endpoint.parameters().isEmpty()) {
			request.put("query", endpoint.parameters()
				.stream()
				.distinct()
				.collect(Collectors.toMap((each) -> each, (each) -> filledIn(endpoint, endpoint.path(), each))));
		}
		endpoint.body()
			.ifPresent((type) -> request.put("json", Skeleton.of(this.mapper, type).sample(this.notes::add, 0)));
		Optional<Endpoint> remover = this.all.stream().filter((each) -> each.removesFrom(endpoint)).findFirst();
		String wanted = remover.map((each) -> each.path().replaceFirst(".*\\{(\\w+).*", "$1")).orElse(variable);
		String captured = name(endpoint.path(), "id");
		Optional<Object> value = Optional.<Object>empty();
		if (!wanted.isEmpty()) {
			value = Skeleton.path(this.mapper, endpoint.answer(), wanted, endpoint.isSafe())
				.map(Object.class::cast)
				.or(() -> remover.map((each) -> LOCATION));
		}
		value.ifPresent((found) -> {
			request.put("capture", Map.of(captured, found));
			remover.filter((each) -> !each.equals(this.target))
				.ifPresent((each) -> this.cleanup.add(0, "DELETE %s/{{%s}}".formatted(path, captured)));
		});
		this.requests.add((request.size() > 2) ? request : endpoint.method() + " " + path);
	}

	private String path(Endpoint endpoint) {
		return this.base + Endpoint.VARIABLE.matcher(endpoint.path()).replaceAll((found) -> {
			String before = endpoint.path().substring(0, found.start()).replaceFirst("/$", "");
			Optional<Endpoint> source = this.all.stream()
				.filter((each) -> Endpoint.shape(each.path()).equals(Endpoint.shape(before)) && each.leftOut().isEmpty()
						&& each.method().equals(this.target.isSafe() ? "GET" : "POST") && each.parameters().isEmpty()
						&& Skeleton.path(this.mapper, each.answer(), found.group(1), each.isSafe()).isPresent())
				.findFirst();
			source.ifPresent((each) -> add(each, found.group(1)));
			return source.isPresent() ? "{{" + name(before, "id") + "}}" : filledIn(endpoint, before, found.group(1));
		});
	}

	private String filledIn(Endpoint endpoint, String path, String variable) {
		String name = name("my/" + path, variable);
		this.variables.put(name, endpoint.key());
		return "{{" + name + "}}";
	}

	/** Such as {@code rooms_id}. */
	private static String name(String path, String name) {
		return (Endpoint.VARIABLE.matcher(path).replaceAll("") + "/" + name).replaceAll("\\W+", "_")
			.replaceFirst("^_(?!\\d)", "");
	}

	@Override
	public String toString() {
		Map<String, Object> scenario = new LinkedHashMap<>(Map.of("name", this.name));
		if (!this.target.isSafe()) {
			scenario.put("unsafe", true);
		}
		scenario.put("requests", List.copyOf(this.requests));
		if (!this.cleanup.isEmpty()) {
			scenario.put("finally", this.cleanup);
		}
		DumperOptions options = new DumperOptions();
		options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
		options.setDereferenceAliases(true);
		options.setSplitLines(false);
		return this.notes.stream().map("  # %s\n"::formatted).collect(Collectors.joining())
				+ new Yaml(options).dump(List.of(scenario)).indent(2);
	}

}
