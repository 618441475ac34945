package dev.warmup.protocol;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;

import com.sun.management.OperatingSystemMXBean;

/**
 * What a JVM has done since its start.
 *
 * @param jit the time spent compiling, summed over the compiler's threads; zero where the
 * JVM does not measure it
 * @param classesLoaded how many classes were ever loaded
 * @param cpu the processor time of all its threads; zero where the JVM does not measure
 * it
 */
public record JvmFigures(Duration jit, long classesLoaded, Duration cpu) {

	/**
	 * Reads the figures of this JVM.
	 * @return the figures as of now
	 */
	public static JvmFigures now() {
		CompilationMXBean compilation = ManagementFactory.getCompilationMXBean();
		boolean measured = compilation != null && compilation.isCompilationTimeMonitoringSupported();
		return new JvmFigures(measured ? Duration.ofMillis(compilation.getTotalCompilationTime()) : Duration.ZERO,
				ManagementFactory.getClassLoadingMXBean().getTotalLoadedClassCount(), processCpu());
	}

	private static Duration processCpu() {
		return (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system)
				? Duration.ofNanos(Math.max(0, system.getProcessCpuTime())) : Duration.ZERO;
	}

	/**
	 * What was done between two moments.
	 * @param earlier the figures of the same JVM before
	 * @return the differences
	 */
	public JvmFigures since(JvmFigures earlier) {
		return new JvmFigures(this.jit.minus(earlier.jit), this.classesLoaded - earlier.classesLoaded,
				this.cpu.minus(earlier.cpu));
	}

}
