package dev.warmup.proposal;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.warmup.catalog.Catalog;
import dev.warmup.catalog.CatalogSource;
import dev.warmup.catalog.RequestTemplate;
import dev.warmup.protocol.RunRecord.Findings;
import dev.warmup.protocol.Trigger;
import dev.warmup.run.FindingsSource;
import dev.warmup.service.OwnState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.core.io.ByteArrayResource;
import org.springframework.http.server.PathContainer;

/**
 * Proposes a catalog for this service, and finds what its own lacks, most called first.
 * Contains patterns, types and counts, and no value of any user. Thread-safe.
 *
 * @param calls how often users called each endpoint, by its key
 * @param base the application's base path
 * @param mapper the application's
 */
public record Proposal(OwnState state, Supplier<List<Endpoint>> endpoints, Calls calls, String base,
		JsonMapper mapper) implements FindingsSource {

	private static final Logger logger = LoggerFactory.getLogger(Proposal.class);

	private static final int MOST_FINDINGS = 10;

	/**
	 * The catalog, as YAML.
	 * @param prefix what the gateway strips; by default what a gateway has sent
	 * @param present the catalog whose requests are left out
	 */
	public String yaml(Optional<String> prefix, Optional<Catalog> present) {
		Optional<String> known = prefix.or(this.state::prefix);
		List<Endpoint> wanted = present.map((catalog) -> lacking(catalog, known.orElse(""))).orElseGet(this::ordered);
		String leftOut = wanted.stream()
			.filter((each) -> !each.leftOut().isEmpty())
			.map((each) -> "# - %s: %s\n".formatted(each.key(), each.leftOut()))
			.collect(Collectors.joining());
		return """
				# yaml-language-server: $schema=./warmup-requests.schema.json
				# Proposed for %s from its request mappings, most called first.
				# Fill in the variables, add a login under defaults, and check what each request leaves behind.
				# Requests that change data are commented out: remove the # at the beginning of their lines.
				# %s
				%s# Left out, besides WebSockets and functional routes, whose types are unknown:
				%s""".formatted(this.state.instance().service(), known
			.map((stripped) -> "Paths begin with what the gateway strips: "
					+ (stripped.isEmpty() ? "nothing" : stripped))
			.orElse("It is unknown what the gateway strips from paths. If it strips something, ask for ?prefix=/something"),
				document(wanted, known.orElse("")), leftOut);
	}

	/** What can be called as it is. Waits until a gateway has sent what it strips. */
	Catalog suggested() {
		String prefix = this.state.awaitPrefix();
		String text = document(ordered().stream().filter(Endpoint::isReady).toList(), prefix);
		return CatalogSource.required(new ByteArrayResource(text.getBytes(StandardCharsets.UTF_8), "suggested"))
			.current();
	}

	/** Whatever is wrong with a mapping or type, a run goes on without findings. */
	@Override
	public Optional<Findings> findings(Catalog catalog) {
		try {
			return this.state.prefix().flatMap((prefix) -> findings(catalog, prefix));
		}
		catch (RuntimeException | LinkageError | StackOverflowError ex) { // such as a
																			// class that
																			// is missing
			logger.debug("What the catalog lacks cannot be found", ex);
			return Optional.empty();
		}
	}

	private Optional<Findings> findings(Catalog catalog, String prefix) {
		List<Endpoint> lacking = lacking(catalog, prefix).stream().filter((each) -> each.leftOut().isEmpty()).toList();
		Map<String, Long> counts = this.calls.get();
		double all = Math.max(1, count(this.endpoints.get(), counts));
		List<Findings.Uncovered> first = lacking.stream()
			.limit(MOST_FINDINGS)
			.map((each) -> new Findings.Uncovered(each.key(), count(List.of(each), counts) / all, entry(each, prefix)))
			.toList();
		return lacking.isEmpty() ? Optional.empty()
				: Optional.of(new Findings(lacking.size(), count(lacking, counts) / all, first));
	}

	/** Without bodies: everybody in the network may read a state, and often. */
	private String entry(Endpoint endpoint, String prefix) {
		return endpoint.isSafe() ? script(List.of(endpoint), prefix).toString()
				: "# %s: see /actuator/warmup/catalog?missing=true%n".formatted(endpoint.key());
	}

	private Script script(List<Endpoint> targets, String prefix) {
		return new Script(this.endpoints.get(), prefix + this.base, this.mapper, targets);
	}

	private static long count(List<Endpoint> endpoints, Map<String, Long> counts) {
		return endpoints.stream().mapToLong((each) -> counts.getOrDefault(each.key(), 0L)).sum();
	}

	private List<Endpoint> ordered() {
		Map<String, Long> counts = this.calls.get();
		return this.endpoints.get()
			.stream()
			.sorted(Comparator.comparing((Endpoint each) -> -counts.getOrDefault(each.key(), 0L))
				.thenComparing(Endpoint::path)
				.thenComparing(Endpoint::method))
			.toList();
	}

	private List<Endpoint> lacking(Catalog catalog, String prefix) {
		Set<Endpoint> covered = catalog.scenariosFor(this.state.instance().service(), Trigger.STARTUP)
			.stream()
			.flatMap((scenario) -> Stream.concat(scenario.requests().stream(), scenario.cleanup().stream()))
			.flatMap((request) -> find(request, prefix + this.base).stream())
			.collect(Collectors.toSet());
		return ordered().stream().filter((each) -> !covered.contains(each)).toList();
	}

	/** The endpoint that answers a request of a catalog. */
	private Optional<Endpoint> find(RequestTemplate request, String prefix) {
		String path = request.path().source().replaceAll("\\{\\{.*?}}", "1").replaceFirst("\\?.*", "");
		PathContainer within = PathContainer.parsePath(path.startsWith(prefix) ? path.substring(prefix.length()) : "");
		return this.endpoints.get()
			.stream()
			.filter((each) -> each.method().equals(request.method().name()) && each.mayAnswer(within))
			.min(Comparator.comparing(Endpoint::pattern));
	}

	private String document(List<Endpoint> wanted, String prefix) {
		Map<String, String> variables = new TreeMap<>();
		StringBuilder scenarios = new StringBuilder();
		Stream<List<Endpoint>> others = wanted.stream()
			.filter((each) -> each.leftOut().isEmpty() && !each.isReady()
					&& wanted.stream().noneMatch(each::removesFrom))
			.map(List::of);
		Stream.concat(Stream.of(wanted.stream().filter(Endpoint::isReady).toList()), others)
			.filter((targets) -> !targets.isEmpty())
			.forEach((targets) -> {
				String mark = targets.get(0).isSafe() ? "" : "#";
				try {
					Script script = script(targets, prefix);
					script.variables.forEach((name, key) -> variables.merge(name, mark + "  " + name + ": # for " + key,
							(one, other) -> mark.isEmpty() ? other : one));
					scenarios.append(script.toString().replaceAll("(?m)^", mark));
				}
				catch (RuntimeException | LinkageError ex) { // such as a class that is
																// missing
					logger.warn("{} cannot be proposed for the warm-up catalog", targets.get(0).key(), ex);
					scenarios.append("#  # %s: its types cannot be read%n".formatted(targets.get(0).key()));
				}
			});
		Stream<String> lines = Stream.concat(Stream.of("version: 1", "variables:"), variables.values().stream());
		return Stream.concat(lines, Stream.of("scenarios:", scenarios.toString())).collect(Collectors.joining("\n"));
	}

	/** How often users called each endpoint, by its key. */
	interface Calls {

		Map<String, Long> get();

	}

}
