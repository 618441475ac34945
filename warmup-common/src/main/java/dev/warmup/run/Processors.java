package dev.warmup.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * How many processors this JVM may use. The JVM counts whole ones; the quota of its
 * cgroup (version 2 or 1), or of one above that, may be a part of one. In a container its
 * cgroup is usually all that is mounted; a service of systemd has one among the host's.
 */
public final class Processors {

	private static final Pattern TWO_NUMBERS = Pattern.compile("(\\d{1,18}) (\\d{1,18})\\s*");

	private static final Pattern NUMBER = Pattern.compile("(\\d{1,18})\\s*");

	/** {@code hierarchy:controllers:path}; version 2 names no controllers. */
	private static final Pattern MEMBERSHIP = Pattern.compile("\\d+:([^:]*):/(.*)");

	private Processors() {
	}

	/**
	 * Counts them.
	 * @return the number, above 0
	 */
	public static double available() {
		return available(Path.of("/sys/fs/cgroup"), Path.of("/proc/self/cgroup"),
				Runtime.getRuntime().availableProcessors());
	}

	/**
	 * Counts them.
	 * @param mount where cgroups are mounted
	 * @param memberships which of them this JVM belongs to, as the kernel lists them
	 * @param counted what the JVM counts
	 * @return the least quota, where there is one that is less than what is counted
	 */
	static double available(Path mount, Path memberships, int counted) {
		return cgroups(mount, memberships).flatMap((cgroup) -> quota(cgroup).stream())
			.filter((quota) -> quota > 0 && quota < counted)
			.min(Double::compare)
			.orElse((double) counted);
	}

	/** The mounted ones, and from each the way to this JVM's own. */
	private static Stream<Path> cgroups(Path mount, Path memberships) {
		Path versionOne = mount.resolve("cpu");
		Stream<Path> own = lines(memberships).stream()
			.map(MEMBERSHIP::matcher)
			.filter(Matcher::matches)
			.flatMap((membership) -> membership.group(1).isEmpty() ? upwards(mount, membership.group(2))
					: hasCpu(membership.group(1)) ? upwards(versionOne, membership.group(2)) : Stream.of());
		return Stream.concat(Stream.of(mount, versionOne), own);
	}

	private static boolean hasCpu(String controllers) {
		return Arrays.asList(controllers.split(",")).contains("cpu");
	}

	/** What is not mounted here is another's to see, and sets no quota. */
	private static Stream<Path> upwards(Path mount, String path) {
		return Stream.iterate(mount.resolve(path).normalize(), (cgroup) -> cgroup.startsWith(mount), Path::getParent);
	}

	private static Optional<Double> quota(Path cgroup) {
		return read(cgroup.resolve("cpu.max"), TWO_NUMBERS).map((numbers) -> ratio(numbers.group(1), numbers.group(2)))
			.or(() -> read(cgroup.resolve("cpu.cfs_quota_us"), NUMBER)
				.flatMap((quota) -> read(cgroup.resolve("cpu.cfs_period_us"), NUMBER)
					.map((period) -> ratio(quota.group(1), period.group(1)))));
	}

	private static double ratio(String quota, String period) {
		return Double.parseDouble(quota) / Math.max(1, Double.parseDouble(period));
	}

	/** Empty without the file, and where it sets no limit ({@code max}, {@code -1}). */
	private static Optional<Matcher> read(Path file, Pattern shape) {
		return lines(file).stream().findFirst().map(shape::matcher).filter(Matcher::matches);
	}

	/** None without the file: on another system, or in a container that hides it. */
	private static List<String> lines(Path file) {
		try {
			return Files.isReadable(file) ? Files.readAllLines(file) : List.of();
		}
		catch (IOException ex) {
			return List.of();
		}
	}

}
