package dev.warmup.bench.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.springframework.util.unit.DataSize;

/** The memory of a process that is resident, pages shared with others included. */
final class ResidentMemory {

	private static final Path PROC = Path.of("/proc");

	private static final Pattern STATUS = Pattern.compile("(?m)^VmRSS:\\s+(\\d+) kB$");

	private static final Pattern PS = Pattern.compile("^\\s*(\\d+)\\s*$");

	private ResidentMemory() {
	}

	/**
	 * Reads it from {@code /proc}, or asks {@code ps} where there is none.
	 * @param pid the process
	 * @return its size; empty when nobody tells
	 */
	static Optional<DataSize> of(long pid) {
		try {
			return Files.isDirectory(PROC.resolve("self"))
					? inStatus(Files.readString(PROC.resolve(Long.toString(pid)).resolve("status"))) : inPs(ps(pid));
		}
		catch (IOException ex) {
			return Optional.empty();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return Optional.empty();
		}
	}

	/**
	 * Finds it in {@code /proc/PID/status}.
	 * @param status the file's text
	 * @return the size; empty for a process without memory, such as one that has ended
	 */
	static Optional<DataSize> inStatus(String status) {
		return kilobytes(STATUS.matcher(status));
	}

	/**
	 * Finds it in what {@code ps -o rss=} printed, which is in kilobytes everywhere.
	 * @param output what it printed
	 * @return the size; empty when there is no such process
	 */
	static Optional<DataSize> inPs(String output) {
		return kilobytes(PS.matcher(output));
	}

	private static Optional<DataSize> kilobytes(Matcher number) {
		return number.find() ? Optional.of(DataSize.ofKilobytes(Long.parseLong(number.group(1)))) : Optional.empty();
	}

	private static String ps(long pid) throws IOException, InterruptedException {
		Process ps = new ProcessBuilder("ps", "-o", "rss=", "-p", Long.toString(pid))
			.redirectError(ProcessBuilder.Redirect.DISCARD)
			.start();
		String output = new String(ps.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		return ps.waitFor(5, TimeUnit.SECONDS) ? output : "";
	}

}
