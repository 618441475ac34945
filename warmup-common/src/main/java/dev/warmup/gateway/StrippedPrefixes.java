package dev.warmup.gateway;

import java.util.List;
import java.util.Optional;

import dev.warmup.service.OwnState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.scheduler.Schedulers;

import org.springframework.cloud.gateway.event.RefreshRoutesResultEvent;
import org.springframework.cloud.gateway.filter.FilterDefinition;
import org.springframework.cloud.gateway.route.RouteDefinition;
import org.springframework.cloud.gateway.route.RouteDefinitionLocator;
import org.springframework.context.event.EventListener;

/**
 * What routes strip from the paths of requests to a service. Definitions are read when
 * the gateway has read them itself, and no look waits for that.
 */
class StrippedPrefixes {

	private static final Logger logger = LoggerFactory.getLogger(StrippedPrefixes.class);

	private final RouteDefinitionLocator locator;

	private volatile List<RouteDefinition> definitions = List.of();

	StrippedPrefixes(RouteDefinitionLocator locator) {
		this.locator = locator;
	}

	@EventListener(RefreshRoutesResultEvent.class)
	public void read() {
		this.locator.getRouteDefinitions()
			.collectList()
			.subscribeOn(Schedulers.boundedElastic())
			.subscribe((read) -> this.definitions = read,
					(error) -> logger.debug("The definitions of routes cannot be read", error));
	}

	/** Empty where no definition shows it. */
	Optional<String> of(String service) {
		return this.definitions.stream().flatMap((route) -> stripped(route, service).stream()).findFirst();
	}

	private static Optional<String> stripped(RouteDefinition route, String service) {
		try {
			return (route.getUri() != null && Routing.leadsTo(route.getUri(), service)) ? stripped(route)
					: Optional.empty();
		}
		catch (RuntimeException ex) { // an odd definition
			logger.debug("Route {} cannot be read", route.getId(), ex);
			return Optional.empty();
		}
	}

	/**
	 * What a route strips from the beginning of paths; empty where it changes them in
	 * another way.
	 */
	static Optional<String> stripped(RouteDefinition route) {
		String probe = "/probe";
		String path = route.getPredicates()
			.stream()
			.filter((each) -> "Path".equals(each.getName()))
			.flatMap((each) -> each.getArgs().values().stream())
			.findFirst()
			.map((pattern) -> pattern.replaceFirst("/?[^/]*[*{?].*|/$", ""))
			.orElse("") + probe;
		String sent = path;
		for (FilterDefinition filter : route.getFilters()) {
			List<String> args = List.copyOf(filter.getArgs().values());
			sent = switch (filter.getName()) {
				case "StripPrefix" -> sent.replaceFirst("(/[^/]*){%s}".formatted(args.get(0)), "");
				case "RewritePath" -> sent.replaceAll(filter.getArgs().getOrDefault("regexp", args.get(0)),
						filter.getArgs().getOrDefault("replacement", args.get(1)).replace("$\\", "$"));
				case "PrefixPath", "SetPath" -> "";
				default -> sent;
			};
		}
		return (!sent.endsWith(probe) || !path.endsWith(sent)) ? Optional.empty()
				: Optional.of(path.substring(0, path.length() - sent.length()))
					.filter((prefix) -> OwnState.PREFIX.matcher(prefix).matches());
	}

}
