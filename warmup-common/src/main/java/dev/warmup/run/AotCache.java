package dev.warmup.run;

import java.lang.management.ManagementFactory;
import java.util.Optional;
import java.util.function.Function;

import com.sun.management.HotSpotDiagnosticMXBean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;

/**
 * Logs at start what happened to the AOT cache (JEP 483, since JDK 24) that this JVM was
 * given, or is to write. A JVM that cannot use its cache starts without it, only slower:
 * other jars, another JDK, or another garbage collector are enough for that.
 */
public final class AotCache implements ApplicationListener<ApplicationReadyEvent> {

	private static final Logger logger = LoggerFactory.getLogger(AotCache.class);

	/**
	 * In {@code java.vm.info} if an archive is mapped, as in HotSpot's version.
	 */
	private static final String MAPPED = "sharing";

	@Override
	public void onApplicationEvent(ApplicationReadyEvent event) {
		log(AotCache::option, System.getProperty("java.vm.info", ""));
	}

	static void log(Function<String, Optional<String>> options, String vmInfo) {
		Optional<String> output = options.apply("AOTCacheOutput");
		Optional<String> input = input(options);
		if (output.isPresent()) {
			logger.info("AOT cache {}: will be written when this JVM exits", output.get());
		}
		else if (input.isPresent() && vmInfo.contains(MAPPED)) {
			logger.info("AOT cache {}: in use", input.get());
		}
		else if (input.isPresent()) {
			logger.warn("AOT cache {}: not in use: the JVM cannot read it, or it was created with another "
					+ "JDK, garbage collector, or jars; -Xlog:aot shows the reason", input.get());
		}
	}

	/**
	 * Whether this JVM started from a cache, and writes none; false before JDK 25, whose
	 * caches are the first to hold method profiles
	 * (<a href="https://openjdk.org/jeps/515">JEP 515</a>).
	 */
	public static boolean isInUse() {
		return Runtime.version().feature() >= 25 && option("AOTCacheOutput").isEmpty()
				&& input(AotCache::option).isPresent() && System.getProperty("java.vm.info", "").contains(MAPPED);
	}

	private static Optional<String> input(Function<String, Optional<String>> options) {
		return options.apply("AOTCache").filter((file) -> !options.apply("AOTMode").equals(Optional.of("off")));
	}

	private static Optional<String> option(String name) {
		try {
			// no lambda: Spring could not read its signature without jdk.management
			HotSpotDiagnosticMXBean jvm = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
			return (jvm != null) ? Optional.of(jvm.getVMOption(name).getValue()).filter((value) -> !value.isBlank())
					: Optional.empty();
		}
		catch (IllegalArgumentException | LinkageError ex) { // no such option, or module
			return Optional.empty();
		}
	}

}
