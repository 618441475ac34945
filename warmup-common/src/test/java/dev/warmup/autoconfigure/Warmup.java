package dev.warmup.autoconfigure;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.cloud.gateway.filter.GlobalFilter;

/** Contexts with every auto-configuration that the library lists, and no other. */
final class Warmup {

	static final String CATALOG = "warmup.catalog=classpath:dev/warmup/autoconfigure/rooms.yml";

	private Warmup() {
	}

	/** A reactive service: the gateway's classes, which the tests have, are hidden. */
	static ReactiveWebApplicationContextRunner reactiveService(Object... alsoHidden) {
		return new ReactiveWebApplicationContextRunner().withClassLoader(hiding(alsoHidden))
			.withConfiguration(autoConfigurations());
	}

	/** A servlet service: the gateway's classes, which the tests have, are hidden. */
	static WebApplicationContextRunner servletService(Object... alsoHidden) {
		return new WebApplicationContextRunner().withClassLoader(hiding(alsoHidden))
			.withConfiguration(autoConfigurations());
	}

	static ReactiveWebApplicationContextRunner gateway() {
		return new ReactiveWebApplicationContextRunner().withConfiguration(autoConfigurations());
	}

	static AutoConfigurations autoConfigurations() {
		ClassLoader loader = Warmup.class.getClassLoader();
		return AutoConfigurations.of(ImportCandidates.load(AutoConfiguration.class, loader)
			.getCandidates()
			.stream()
			.filter((name) -> name.startsWith("dev.warmup."))
			.map((name) -> load(name, loader))
			.toArray(Class<?>[]::new));
	}

	/**
	 * Hides classes, and packages by their name.
	 */
	private static ClassLoader hiding(Object... hidden) {
		return new FilteredClassLoader((name) -> {
			if (name.equals(GlobalFilter.class.getName())) {
				return true;
			}
			for (Object each : hidden) {
				if ((each instanceof Class<?> type) ? name.equals(type.getName()) : name.startsWith(each + ".")) {
					return true;
				}
			}
			return false;
		});
	}

	private static Class<?> load(String name, ClassLoader loader) {
		try {
			return Class.forName(name, false, loader);
		}
		catch (ClassNotFoundException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
