package dev.warmup.protocol;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.sun.management.OperatingSystemMXBean;

/**
 * The figures of one JVM: a gateway returns its own in the header {@value #HEADER} of its
 * answers to verified warm-up, as
 * {@code jvm=<name>; processors=<number>; jit=<milliseconds>; classes=<number>}.
 *
 * @param jvm names the JVM
 * @param processors how many it may use, above 0
 * @param jit the time it spent compiling since its start, summed over the compiler's
 * threads
 * @param classesLoaded how many classes it ever loaded
 */
public record JvmSnapshot(String jvm, double processors, Duration jit, long classesLoaded) {

	/** Header of an answer, in which a gateway returns its figures. */
	public static final String HEADER = "X-Warmup-Jvm";

	/** More digits than a year of compiling has milliseconds. */
	private static final Pattern SHAPE = Pattern.compile(
			"jvm=([\\w.:\\[\\]%@/-]{1,253}); processors=(\\d{1,6}\\.\\d{2}); jit=(\\d{1,15}); classes=(\\d{1,15})");

	/** The figures of this JVM as of now. */
	public static JvmSnapshot now(String jvm, double processors) {
		Figures figures = Figures.now();
		return new JvmSnapshot(jvm, processors, figures.jit(), figures.classesLoaded());
	}

	/** Reads a header value, from anyone; empty when it has another shape. */
	public static Optional<JvmSnapshot> parse(String header) {
		Matcher matcher = SHAPE.matcher(header);
		return matcher.matches()
				? Optional.of(new JvmSnapshot(matcher.group(1), Double.parseDouble(matcher.group(2)),
						Duration.ofMillis(Long.parseLong(matcher.group(3))), Long.parseLong(matcher.group(4))))
				: Optional.empty();
	}

	/** The header value that {@link #parse} reads. */
	public String format() {
		return String.format(Locale.ROOT, "jvm=%s; processors=%.2f; jit=%d; classes=%d", this.jvm, this.processors,
				this.jit.toMillis(), this.classesLoaded);
	}

	/**
	 * What a JVM has done since its start: {@code jit} is summed over the threads of its
	 * compiler, {@code cpu} over all; a time that the JVM does not measure is zero.
	 */
	public record Figures(Duration jit, long classesLoaded, Duration cpu) {

		/** The figures of this JVM as of now. */
		public static Figures now() {
			CompilationMXBean compilation = ManagementFactory.getCompilationMXBean();
			boolean measured = compilation != null && compilation.isCompilationTimeMonitoringSupported();
			return new Figures(measured ? Duration.ofMillis(compilation.getTotalCompilationTime()) : Duration.ZERO,
					ManagementFactory.getClassLoadingMXBean().getTotalLoadedClassCount(), processCpu());
		}

		private static Duration processCpu() {
			try {
				return (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system)
						? Duration.ofNanos(Math.max(0, system.getProcessCpuTime())) : Duration.ZERO;
			}
			catch (LinkageError ex) { // a JRE without the module jdk.management
				return Duration.ZERO;
			}
		}

		/** What this JVM has done since it had earlier figures. */
		public Figures since(Figures earlier) {
			return new Figures(this.jit.minus(earlier.jit), this.classesLoaded - earlier.classesLoaded,
					this.cpu.minus(earlier.cpu));
		}

	}

}
