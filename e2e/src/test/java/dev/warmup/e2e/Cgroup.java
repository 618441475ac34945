package dev.warmup.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.awaitility.Awaitility.await;

/**
 * A cgroup of this machine, version 2 or 1, with a quota of processor time, as a
 * container has one. Closing it removes it, once the processes in it have ended.
 */
final class Cgroup implements AutoCloseable {

	private static final Path MOUNT = Path.of("/sys/fs/cgroup");

	private static final int PERIOD = 100_000;

	private static final Pattern THROTTLED = Pattern.compile("nr_throttled (\\d+)");

	private final Path directory;

	private Cgroup(Path directory) {
		this.directory = directory;
	}

	/**
	 * Makes one.
	 * @param name its name, followed by the id of this process
	 * @param processors the quota
	 * @return the cgroup, or empty where this process may not make any
	 */
	static Optional<Cgroup> create(String name, double processors) {
		return parent().flatMap((parent) -> {
			Path directory = parent.resolve(name + "-" + ProcessHandle.current().pid());
			try {
				Files.createDirectory(directory);
			}
			catch (IOException ex) {
				return Optional.empty(); // mounted to be read only, as in most containers
			}
			Cgroup cgroup = new Cgroup(directory);
			cgroup.limit(Math.round(processors * PERIOD));
			return Optional.of(cgroup);
		});
	}

	private static Optional<Path> parent() {
		Path versionOne = MOUNT.resolve("cpu");
		if (Files.isWritable(versionOne.resolve("cgroup.procs"))) {
			return Optional.of(versionOne);
		}
		Path handedDown = MOUNT.resolve("cgroup.subtree_control");
		return Optional.of(MOUNT)
			.filter((mount) -> Files.isWritable(handedDown)
					&& (" " + read(handedDown).strip() + " ").contains(" cpu "));
	}

	private void limit(long quota) {
		try {
			Path versionTwo = this.directory.resolve("cpu.max");
			if (Files.exists(versionTwo)) {
				Files.writeString(versionTwo, quota + " " + PERIOD);
				return;
			}
			Files.writeString(this.directory.resolve("cpu.cfs_period_us"), Integer.toString(PERIOD));
			Files.writeString(this.directory.resolve("cpu.cfs_quota_us"), Long.toString(quota));
		}
		catch (IOException ex) {
			close();
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Where a process writes its id to join.
	 * @return the file
	 */
	Path members() {
		return this.directory.resolve("cgroup.procs");
	}

	/**
	 * How often its processes had to wait for the quota.
	 * @return the number of periods of a tenth of a second
	 */
	long throttled() {
		Matcher throttled = THROTTLED.matcher(read(this.directory.resolve("cpu.stat")));
		return throttled.find() ? Long.parseLong(throttled.group(1)) : 0;
	}

	private static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void close() {
		await().atMost(Duration.ofSeconds(30)).ignoreExceptions().until(() -> Files.deleteIfExists(this.directory));
	}

}
