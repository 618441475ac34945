package dev.warmup.bench.load;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import dev.warmup.catalog.Capture;
import dev.warmup.catalog.Catalog;
import dev.warmup.catalog.CatalogReader;
import dev.warmup.catalog.RequestTemplate;
import dev.warmup.catalog.Scenario;
import dev.warmup.catalog.Scope;
import dev.warmup.catalog.Trigger;

import org.springframework.core.io.FileSystemResource;

/**
 * What a user asks for: every request of a catalog, in its order, each with what the
 * answers before it brought. Immutable and safe to share between threads.
 */
public final class Journey {

	private final Catalog catalog;

	private final List<Scenario> scenarios;

	private final UnaryOperator<String> path;

	private Journey(Catalog catalog, List<Scenario> scenarios, UnaryOperator<String> path) {
		this.catalog = catalog;
		this.scenarios = scenarios;
		this.path = path;
	}

	/**
	 * Reads the catalog.
	 * @param file the catalog
	 * @param service whose scenarios to walk through
	 * @return the journey through the gateway
	 */
	public static Journey through(Path file, String service) {
		Catalog catalog = new CatalogReader().read(new FileSystemResource(file));
		return new Journey(catalog, catalog.scenariosFor(service, Trigger.STARTUP), UnaryOperator.identity());
	}

	/**
	 * The same journey at the service itself, past the gateway.
	 * @param prefix what the gateway strips from the paths, such as {@code /chat-service}
	 * @return a journey with paths as the service has them
	 */
	public Journey without(String prefix) {
		return new Journey(this.catalog, this.scenarios,
				(path) -> path.startsWith(prefix + "/") ? path.substring(prefix.length()) : path);
	}

	/**
	 * Names the kinds of request.
	 * @return the names in the order of the journey
	 */
	public List<String> requests() {
		return this.scenarios.stream().flatMap(Journey::all).map(RequestTemplate::name).toList();
	}

	/**
	 * Walks through it once, one request after the other; each is sent whatever became of
	 * those before it, if what it needs is known. Blocks.
	 * @param browser sends
	 * @param base the address that the paths are appended to, without a slash at its end
	 * @param log takes each answer as it comes
	 */
	public void walk(Browser browser, URI base, Consumer<Visit> log) {
		for (Scenario scenario : this.scenarios) {
			Scope scope = Scope.of(this.catalog);
			for (RequestTemplate request : all(scenario).toList()) {
				if (request.renderable(scope)) {
					URI address = URI.create(base + this.path.apply(request.uri(scope)));
					Browser.Page page = browser.visit(request, address, scope);
					log.accept(page.visit());
					if (page.visit().problem().isEmpty()
							&& request.capture(page.body()) instanceof Capture.Found found) {
						scope = scope.with(found.values());
					}
				}
			}
		}
	}

	private static Stream<RequestTemplate> all(Scenario scenario) {
		return Stream.concat(scenario.requests().stream(), scenario.cleanup().stream());
	}

}
