package dev.warmup.insight;

import java.lang.management.ManagementFactory;
import java.util.Optional;
import java.util.function.Function;

import com.sun.management.HotSpotDiagnosticMXBean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The AOT cache that this JVM was given (JEP 483, since JDK 24) or is to write. A JVM
 * that cannot use its cache starts without, slowly and otherwise alike: other jars,
 * another JDK, another garbage collector are enough for that.
 *
 * @param file where the cache is, or will be
 * @param use what became of it
 */
record AotCache(String file, Use use) {

	private static final Logger logger = LoggerFactory.getLogger(AotCache.class);

	private static final String GIVEN = "AOTCache";

	private static final String OUTPUT = "AOTCacheOutput";

	private static final String MODE = "AOTMode";

	/**
	 * How {@code java.vm.info} has it that an archive is mapped, as HotSpot's version.
	 */
	private static final String MAPPED = "sharing";

	/** What became of a cache. */
	public enum Use {

		/** The JVM has mapped it. */
		IN_USE,

		/** The JVM was given it, and does without. */
		REFUSED,

		/** The JVM writes it when it ends. */
		TRAINED

	}

	/**
	 * Asks this JVM.
	 * @return its cache; empty where it was given none, or knows of no caches
	 */
	public static Optional<AotCache> ofThisJvm() {
		return of(AotCache::option, System.getProperty("java.vm.info", ""));
	}

	static Optional<AotCache> of(Function<String, Optional<String>> options, String vmInfo) {
		Optional<AotCache> trained = options.apply(OUTPUT).map((file) -> new AotCache(file, Use.TRAINED));
		return trained.or(() -> options.apply(GIVEN)
			.filter((file) -> !options.apply(MODE).equals(Optional.of("off")))
			.map((file) -> new AotCache(file, vmInfo.contains(MAPPED) ? Use.IN_USE : Use.REFUSED)));
	}

	private static Optional<String> option(String name) {
		try {
			return Optional.ofNullable(ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class))
				.map((jvm) -> jvm.getVMOption(name).getValue())
				.filter((value) -> !value.isBlank());
		}
		catch (IllegalArgumentException ex) { // a JVM without this option
			return Optional.empty();
		}
	}

	/** Says it in the log. */
	public void log() {
		switch (this.use) {
			case IN_USE -> logger.info("AOT cache {}: in use", this.file);
			case TRAINED -> logger.info("AOT cache {}: written when this JVM ends", this.file);
			case REFUSED ->
				logger.warn("AOT cache {}: not in use, as the JVM cannot read it, or it was made with another "
						+ "JDK, garbage collector or jars; -Xlog:aot tells which", this.file);
		}
	}

}
