package dev.warmup.bench.process;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The counters that a HotSpot JVM keeps in a file that it maps into its memory, the same
 * that {@code jcmd PID PerfCounter.print} prints: read from the file, that takes no
 * process of its own, and shows them as they are at this moment. The layout is that of
 * HotSpot's {@code perfMemory.hpp}, version 2.0: a prologue of 32 bytes, then entries
 * with a head of 20.
 *
 * @param values the counters that are whole numbers
 */
record PerfCounters(Map<String, Long> values) {

	private static final int MAGIC = 0xcafec0c0;

	private static final int LITTLE_ENDIAN = 1;

	private static final int MAJOR = 2;

	private static final int PROLOGUE = 32;

	private static final int ENTRY = 20;

	/** Copies what it is given. */
	PerfCounters {
		values = Map.copyOf(values);
	}

	/**
	 * Reads the counters of a JVM of this user.
	 * @param pid the JVM
	 * @return its counters; empty when it keeps none, is no HotSpot, or another user's
	 */
	static Optional<PerfCounters> of(long pid) {
		for (Path directory : List.of(Path.of(System.getProperty("java.io.tmpdir")), Path.of("/tmp"))) {
			try (DirectoryStream<Path> users = Files.newDirectoryStream(directory, "hsperfdata_*")) {
				for (Path user : users) {
					Path file = user.resolve(Long.toString(pid));
					if (Files.isReadable(file)) {
						return read(ByteBuffer.wrap(Files.readAllBytes(file)));
					}
				}
			}
			catch (IOException ex) {
				// as if there were none
			}
		}
		return Optional.empty();
	}

	/**
	 * Reads the file.
	 * @param file its bytes
	 * @return the counters; empty when the layout is not the known one
	 */
	static Optional<PerfCounters> read(ByteBuffer file) {
		if (file.limit() < PROLOGUE || file.order(ByteOrder.BIG_ENDIAN).getInt(0) != MAGIC || file.get(5) != MAJOR) {
			return Optional.empty();
		}
		file.order((file.get(4) == LITTLE_ENDIAN) ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
		try {
			Map<String, Long> values = new HashMap<>();
			int entry = file.getInt(24);
			for (int left = file.getInt(28); left > 0; left--) {
				if (file.getInt(entry + 8) == 0 && file.get(entry + 12) == 'J') {
					values.put(name(file, entry + file.getInt(entry + 4)),
							file.getLong(entry + file.getInt(entry + 16)));
				}
				int length = file.getInt(entry);
				if (length < ENTRY) {
					return Optional.empty();
				}
				entry += length;
			}
			return Optional.of(new PerfCounters(values));
		}
		catch (IndexOutOfBoundsException ex) {
			return Optional.empty();
		}
	}

	private static String name(ByteBuffer file, int from) {
		int to = from;
		while (file.get(to) != 0) {
			to++;
		}
		byte[] name = new byte[to - from];
		file.get(from, name);
		return new String(name, StandardCharsets.UTF_8);
	}

	/**
	 * How long the compilers have compiled.
	 * @return {@code java.ci.totalTime}, which counts in ticks of
	 * {@code sun.os.hrt.frequency}, summed over their threads; empty when the JVM does
	 * not tell
	 */
	Optional<Duration> compileTime() {
		Long ticks = this.values.get("java.ci.totalTime");
		Long perSecond = this.values.get("sun.os.hrt.frequency");
		return (ticks != null && perSecond != null && perSecond > 0)
				? Optional.of(Duration.ofNanos(Math.round(1e9 * ticks / perSecond))) : Optional.empty();
	}

}
