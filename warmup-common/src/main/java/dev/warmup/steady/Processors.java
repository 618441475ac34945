package dev.warmup.steady;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How many processors this JVM may use. The JVM counts whole ones; a container's quota,
 * read from its cgroup (version 2 or 1), may be a part of one.
 */
public final class Processors {

	private static final Pattern TWO_NUMBERS = Pattern.compile("(\\d{1,18}) (\\d{1,18})\\s*");

	private static final Pattern NUMBER = Pattern.compile("(\\d{1,18})\\s*");

	private Processors() {
	}

	/**
	 * Counts them.
	 * @return the number, above 0
	 */
	public static double available() {
		return available(Path.of("/sys/fs/cgroup"), Runtime.getRuntime().availableProcessors());
	}

	/**
	 * Counts them.
	 * @param cgroup where the container's cgroup is mounted
	 * @param counted what the JVM counts
	 * @return the quota, where there is one that is less than what is counted
	 */
	static double available(Path cgroup, int counted) {
		return quota(cgroup).filter((quota) -> quota > 0 && quota < counted).orElse((double) counted);
	}

	private static Optional<Double> quota(Path cgroup) {
		return read(cgroup.resolve("cpu.max"), TWO_NUMBERS).map((numbers) -> ratio(numbers.group(1), numbers.group(2)))
			.or(() -> read(cgroup.resolve("cpu/cpu.cfs_quota_us"), NUMBER)
				.flatMap((quota) -> read(cgroup.resolve("cpu/cpu.cfs_period_us"), NUMBER)
					.map((period) -> ratio(quota.group(1), period.group(1)))));
	}

	private static double ratio(String quota, String period) {
		return Double.parseDouble(quota) / Math.max(1, Double.parseDouble(period));
	}

	/** Empty without the file, and where it sets no limit ({@code max}, {@code -1}). */
	private static Optional<Matcher> read(Path file, Pattern shape) {
		try {
			return Files.isReadable(file) ? Optional.of(shape.matcher(Files.readString(file))).filter(Matcher::matches)
					: Optional.empty();
		}
		catch (IOException ex) {
			return Optional.empty();
		}
	}

}
