package dev.warmup.bench.variant;

import java.nio.file.Path;
import java.util.Map;

/** What services do while their JVMs note what an AOT cache shall hold. */
@FunctionalInterface
interface Training {

	/** The options of a JVM that decide whether a cache fits it. */
	String JVM_OPTIONS = "-Xmx512m";

	/**
	 * Runs the services, each with {@code -XX:AOTCacheOutput} and {@link #JVM_OPTIONS}.
	 * Blocks until the caches are written.
	 * @param jars holds {@code <service>/<service>.jar}, as {@code STACK_JARS} does
	 * @param caches the files to write, by service
	 */
	void train(Path jars, Map<String, Path> caches);

}
