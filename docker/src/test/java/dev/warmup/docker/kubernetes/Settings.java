package dev.warmup.docker.kubernetes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

import dev.warmup.autoconfigure.WarmupProperties;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.FileSystemResource;

/**
 * What a service is set to in its container: its own files below what the manifest puts
 * into its environment. Nothing of the machine that runs the tests is in it.
 */
final class Settings {

	private final Binder binder;

	private Settings(Binder binder) {
		this.binder = binder;
	}

	/**
	 * Reads them.
	 * @param service one that is a module
	 * @return the settings
	 */
	static Settings of(Workload service) {
		MutablePropertySources sources = new MutablePropertySources();
		sources.addLast(new SystemEnvironmentPropertySource(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
				service.environment()));
		files(service).forEach((file) -> load(file).forEach(sources::addLast));
		return new Settings(new Binder(ConfigurationPropertySources.from(sources),
				new PropertySourcesPlaceholdersResolver(sources)));
	}

	/**
	 * Where they stand.
	 * @param service one that is a module
	 * @return its profile's file, where it has a profile, before its common one
	 */
	static List<Path> files(Workload service) {
		Path resources = Manifests.ROOT.resolve(service.name()).resolve("src/main/resources");
		Object profile = service.environment().get("SPRING_PROFILES_ACTIVE");
		Path common = resources.resolve("application.yaml");
		return (profile != null) ? List.of(resources.resolve("application-" + profile + ".yaml"), common)
				: List.of(common);
	}

	<T> T get(String property, Class<T> type) {
		return this.binder.bind(property, type).get();
	}

	WarmupProperties warmup() {
		return this.binder.bindOrCreate("warmup", WarmupProperties.class);
	}

	boolean exposes(String endpoint) {
		return Arrays.asList(get("management.endpoints.web.exposure.include", String[].class)).contains(endpoint);
	}

	private static List<PropertySource<?>> load(Path file) {
		try {
			return new YamlPropertySourceLoader().load(file.toString(), new FileSystemResource(file));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
