package dev.warmup;

import java.util.stream.Stream;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.util.ClassUtils;

/** Contexts with every auto-configuration that the library lists, and no other. */
public final class Contexts {

	private Contexts() {
	}

	/** A reactive service: the gateway's classes, which the tests have, are hidden. */
	public static ReactiveWebApplicationContextRunner reactiveService(String... hiddenPackages) {
		return new ReactiveWebApplicationContextRunner().withClassLoader(hiding(hiddenPackages))
			.withConfiguration(autoConfigurations());
	}

	/** A servlet service: the gateway's classes, which the tests have, are hidden. */
	public static WebApplicationContextRunner servletService(String... hiddenPackages) {
		return new WebApplicationContextRunner().withClassLoader(hiding(hiddenPackages))
			.withConfiguration(autoConfigurations());
	}

	public static ReactiveWebApplicationContextRunner gateway() {
		return new ReactiveWebApplicationContextRunner().withConfiguration(autoConfigurations());
	}

	public static AutoConfigurations autoConfigurations() {
		ClassLoader loader = Contexts.class.getClassLoader();
		return AutoConfigurations.of(ImportCandidates.load(AutoConfiguration.class, loader)
			.getCandidates()
			.stream()
			.filter((name) -> name.startsWith("dev.warmup."))
			.map((name) -> ClassUtils.resolveClassName(name, loader))
			.toArray(Class<?>[]::new));
	}

	private static ClassLoader hiding(String... packages) {
		return new FilteredClassLoader((name) -> name.equals(GlobalFilter.class.getName())
				|| Stream.of(packages).anyMatch((each) -> name.startsWith(each + ".")));
	}

}
