package dev.warmup.bench.scenario;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.warmup.bench.stack.Stack;
import dev.warmup.bench.variant.Layout;
import dev.warmup.bench.variant.Variant;

/**
 * Where scenarios measure.
 *
 * @param root the repository, with its jars packaged
 * @param work a directory for the state and logs of stacks, and for what is generated
 * @param javaHome the JDK that the stacks run on
 * @param variants the variants that can be had here, in the order of the tables
 * @param quick whether to be done soon, with fewer repetitions
 */
public record Site(Path root, Path work, Path javaHome, List<Variant> variants, boolean quick) {

	/**
	 * Saves time where nothing is measured: the registry is compiled as little as it
	 * needs to be, and Netty does not wait at the end for users who are gone.
	 */
	private static final Map<String, String> UNMEASURED = Map.of("EUREKA_SERVER_OPTS", "-XX:TieredStopAtLevel=1",
			"SPRING_REACTOR_NETTY_SHUTDOWN_QUIET_PERIOD", "0s");

	/**
	 * Lays the jars out for all stacks, so that a cache is not compared with another way
	 * to run them. Blocks.
	 */
	public void layOut() {
		Layout.extract(this.root, jars(), this.javaHome);
	}

	private Path jars() {
		return this.work.resolve("jars");
	}

	/**
	 * Prepares a stack, and starts nothing.
	 * @param name names its home
	 * @param settings environment variables
	 * @return the stack
	 */
	public Stack stack(String name, Map<String, String> settings) {
		Map<String, String> all = new HashMap<>(UNMEASURED);
		all.put("JAVA_HOME", this.javaHome.toString());
		all.put("STACK_JARS", jars().toString());
		all.putAll(settings);
		return Stack.prepare(this.root.resolve("stack"), this.work.resolve(name), all);
	}

	/**
	 * A variant by its id.
	 * @param id the id
	 * @return the variant
	 * @throws IllegalArgumentException when it cannot be had here
	 */
	public Variant variant(String id) {
		return this.variants.stream()
			.filter((variant) -> variant.id().equals(id))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException("there is no variant " + id));
	}

}
