package dev.warmup.catalog;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.warmup.protocol.Trigger;

/**
 * A checked catalog of requests; immutable and safe to share between threads.
 *
 * @param location where it was read, as an operator would name the file
 * @param variables values that each repetition evaluates once, in file order
 * @param scenarios all scenarios of the file, in file order; may be empty
 */
public record Catalog(String location, Map<String, Template> variables, List<Scenario> scenarios) {

	public Catalog {
		variables = Collections.unmodifiableMap(new LinkedHashMap<>(variables));
		scenarios = List.copyOf(scenarios);
	}

	/** One that sends nothing. */
	public static Catalog empty(String location) {
		return new Catalog(location, Map.of(), List.of());
	}

	/** The scenarios of {@link #scenariosFor} that name the service. */
	public List<Scenario> scenariosNaming(String service, Trigger trigger) {
		return scenariosFor(service, trigger).stream().filter((scenario) -> scenario.service().isPresent()).toList();
	}

	/**
	 * The scenarios that a service replays at a trigger, in file order: those that
	 * {@linkplain Scenario#isFor are for it}.
	 */
	public List<Scenario> scenariosFor(String service, Trigger trigger) {
		return this.scenarios.stream()
			.filter((scenario) -> scenario.when().contains(trigger.replays()))
			.filter((scenario) -> scenario.isFor(service))
			.toList();
	}

}
