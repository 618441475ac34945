package dev.warmup.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

import dev.warmup.bench.load.SteadyClient;

/**
 * What was measured on the way: printed, and kept in {@code target/e2e/figures.txt}. No
 * test passes or fails by it, since machines differ; ratios within one run can be
 * compared.
 */
final class Figures {

	private static final Path FILE = Stacks.directory().resolve("figures.txt");

	private static final double NANOS_PER_MILLI = 1e6;

	private Figures() {
	}

	/**
	 * Tells what was measured.
	 * @param format as {@link String#format} has it
	 * @param arguments the figures
	 */
	static void tell(String format, Object... arguments) {
		String line = String.format(Locale.ROOT, format, arguments);
		System.out.println(line);
		try {
			Files.writeString(FILE, line + System.lineSeparator(), StandardOpenOption.CREATE,
					StandardOpenOption.APPEND);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static double millis(Duration duration) {
		return duration.toNanos() / NANOS_PER_MILLI;
	}

	static double ratio(Duration numerator, Duration denominator) {
		return (double) numerator.toNanos() / denominator.toNanos();
	}

	/**
	 * Says how a time with an event in it compares with the time before.
	 * @param what the event
	 * @param before the users before
	 * @param around the users around it
	 */
	static void compare(String what, List<SteadyClient.Sample> before, List<SteadyClient.Sample> around) {
		Duration calm = SteadyClient.Sample.percentile(before, 99);
		Duration stirred = SteadyClient.Sample.percentile(around, 99);
		tell("%s: %d users, p99 %.1f ms against %.1f ms before (%.2fx), slowest %.0f ms, %d errors", what,
				around.size(), millis(stirred), millis(calm), ratio(stirred, calm),
				millis(SteadyClient.Sample.percentile(around, 100)),
				around.stream().filter(SteadyClient.Sample::isError).count());
	}

}
