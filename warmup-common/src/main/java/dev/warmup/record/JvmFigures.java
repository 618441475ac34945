package dev.warmup.record;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/**
 * What the JVM has done since its start.
 *
 * @param jit the time spent compiling, summed over the compiler's threads; zero where the
 * JVM does not tell
 * @param classesLoaded how many classes were ever loaded
 */
public record JvmFigures(Duration jit, long classesLoaded) {

	/**
	 * Reads the figures of this JVM.
	 * @return the figures as of now
	 */
	public static JvmFigures now() {
		CompilationMXBean compilation = ManagementFactory.getCompilationMXBean();
		boolean told = compilation != null && compilation.isCompilationTimeMonitoringSupported();
		return new JvmFigures(told ? Duration.ofMillis(compilation.getTotalCompilationTime()) : Duration.ZERO,
				ManagementFactory.getClassLoadingMXBean().getTotalLoadedClassCount());
	}

	JvmFigures since(JvmFigures earlier) {
		return new JvmFigures(this.jit.minus(earlier.jit), this.classesLoaded - earlier.classesLoaded);
	}

}
