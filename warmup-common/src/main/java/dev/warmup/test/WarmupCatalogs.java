package dev.warmup.test;

import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.warmup.WarmupClientCustomizer;
import dev.warmup.catalog.Catalog;
import dev.warmup.catalog.CatalogSource;
import dev.warmup.catalog.RequestTemplate;
import dev.warmup.catalog.Scenario;
import dev.warmup.catalog.Template;
import dev.warmup.run.GatewayClient;
import dev.warmup.run.Outcome;
import reactor.core.publisher.Mono;

import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;

/**
 * Verifies in a test that an application answers its catalog as expected. Each request of
 * each scenario is sent once, in order and with {@code finally}, to a port of localhost,
 * without a gateway; to the application it is a user's. Blocks.
 */
public final class WarmupCatalogs {

	private WarmupCatalogs() {
	}

	/**
	 * Verifies the catalog at a resource location, whose scenarios name one service at
	 * most. That name is left out of the paths that begin with it, as gateways do.
	 * @throws AssertionError as below, and if the scenarios name several services
	 */
	public static void verify(String location, int port) {
		Catalog catalog = read(location);
		Set<String> services = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
		catalog.scenarios().forEach((scenario) -> scenario.service().ifPresent(services::add));
		if (services.size() > 1) {
			throw new AssertionError("%s is for %s: name one, by verify(location, port, service, prefix)"
				.formatted(location, String.join(" and ", services)));
		}
		String service = String.join("", services);
		verify(catalog, port, service, (builder) -> builder.filter(without("/" + service, false)));
	}

	/**
	 * Verifies what a catalog has for a service.
	 * @param service its name; scenarios that name another one are not sent
	 * @param prefix what the gateway leaves out of each path; may be empty
	 * @param customizers the application's, such as one that logs in
	 * @throws AssertionError with all failures by line, or if there is nothing to send
	 */
	public static void verify(String location, int port, String service, String prefix,
			WarmupClientCustomizer... customizers) {
		verify(read(location), port, service, (builder) -> {
			builder.filter(without(prefix.replaceFirst("/$", ""), true));
			List.of(customizers).forEach((customizer) -> customizer.customize(builder));
		});
	}

	private static Catalog read(String location) {
		return CatalogSource.required(new DefaultResourceLoader().getResource(location)).current();
	}

	private static void verify(Catalog catalog, int port, String service, WarmupClientCustomizer customizer) {
		URI application = URI.create("http://localhost:" + port);
		GatewayClient client = new GatewayClient(customizer);
		StringBuilder failures = new StringBuilder();
		List<Scenario> scenarios = catalog.scenarios().stream().filter((each) -> each.isFor(service)).toList();
		for (Scenario scenario : scenarios) {
			Template.Scope scope = Template.Scope.of(catalog);
			for (RequestTemplate request : Stream.concat(scenario.requests().stream(), scenario.cleanup().stream())
				.toList()) {
				Outcome outcome = client.sendUnmarked(application, request, scope).blockOptional().orElseThrow();
				if (outcome instanceof Outcome.Expected answer) {
					scope = scope.with(answer.captured());
				}
				else {
					failures.append("%n  %s:%d: %s %s: %s".formatted(catalog.location(), request.line(),
							request.method(), request.path(), outcome.problem()));
				}
			}
		}
		if (scenarios.isEmpty() || !failures.isEmpty()) {
			throw new AssertionError(
					scenarios.isEmpty() ? "%s has nothing to send for '%s'".formatted(catalog.location(), service)
							: "The application does not answer its warm-up catalog as expected:" + failures);
		}
	}

	private static ExchangeFilterFunction without(String prefix, boolean required) {
		Pattern start = Pattern.compile("^(http://[^/]+)" + Pattern.quote(prefix) + "(?=[/?]|$)");
		return ExchangeFilterFunction.ofRequestProcessor((request) -> {
			Matcher url = start.matcher(request.url().toString());
			return (required && !url.find())
					? Mono.error(new IllegalArgumentException("the path does not begin with " + prefix))
					: Mono.just(ClientRequest.from(request).url(URI.create(url.replaceFirst("$1"))).build());
		});
	}

}
