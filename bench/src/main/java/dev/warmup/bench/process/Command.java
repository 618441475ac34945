package dev.warmup.bench.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import dev.warmup.bench.stack.Outcome;

/**
 * How a program is run to its end.
 *
 * @param directory where it runs
 * @param environment variables beside those of this process
 * @param limit how long it may take before it is killed
 */
public record Command(Path directory, Map<String, String> environment, Duration limit) {

	/** What {@link #outcome} tells of a program that did not end by itself. */
	public static final int NOT_ENDED = -1;

	/**
	 * Runs it. Blocks.
	 * @param words the program and its arguments
	 * @return how it ended, with {@value #NOT_ENDED} for one that could not be started or
	 * took too long
	 */
	public Outcome outcome(List<String> words) {
		try {
			// not a pipe, which somebody would have to read meanwhile
			Path output = Files.createTempFile("command-", ".out");
			try {
				int exitCode = exitCode(words, output);
				return new Outcome(exitCode, Files.readString(output));
			}
			catch (IOException ex) {
				return new Outcome(NOT_ENDED, String.valueOf(ex.getMessage()));
			}
			finally {
				Files.delete(output);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Runs it. Blocks.
	 * @param words the program and its arguments
	 * @return what it printed, errors included
	 * @throws IllegalStateException when it fails or takes too long; tells what it
	 * printed
	 */
	public String run(List<String> words) {
		Outcome outcome = outcome(words);
		if (outcome.exitCode() != 0) {
			throw new IllegalStateException(
					"failed, or took over %s s: %s%n%s".formatted(this.limit.toSeconds(), words, outcome.output()));
		}
		return outcome.output();
	}

	private int exitCode(List<String> words, Path output) throws IOException {
		ProcessBuilder builder = new ProcessBuilder(words).directory(this.directory.toFile())
			.redirectErrorStream(true)
			.redirectOutput(output.toFile());
		builder.environment().putAll(this.environment);
		Process process = builder.start();
		try {
			return process.waitFor(this.limit.toNanos(), TimeUnit.NANOSECONDS) ? process.exitValue() : NOT_ENDED;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
		finally {
			process.destroyForcibly();
		}
	}

}
