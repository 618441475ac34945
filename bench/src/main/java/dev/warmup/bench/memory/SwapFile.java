package dev.warmup.bench.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.warmup.bench.process.Command;
import dev.warmup.bench.stack.Outcome;

import org.springframework.util.unit.DataSize;

/**
 * Swap in a file that is removed again on closing, or at the end of this JVM. It is used
 * before any other swap of the machine.
 */
final class SwapFile implements AutoCloseable {

	/** Several times two JVMs, since swap that is half full takes nothing twice. */
	private static final DataSize SIZE = DataSize.ofGigabytes(3);

	private static final Duration LIMIT = Duration.ofMinutes(2);

	private static final String FIRST_OF_ALL = "32767";

	private final Path file;

	private final Thread atExit = new Thread(this::remove);

	private SwapFile(Path file) {
		this.file = file;
	}

	/**
	 * Makes swap, and turns it on.
	 * @param file where
	 * @return the swap
	 * @throws IllegalStateException when the system refuses; nothing is left behind
	 */
	static SwapFile at(Path file) {
		SwapFile swap = new SwapFile(file);
		swap.remove(); // of a run that was killed
		Runtime.getRuntime().addShutdownHook(swap.atExit);
		try {
			need("fallocate", "-l", Long.toString(SIZE.toBytes()), file.toString());
			need("chmod", "600", file.toString());
			need("mkswap", file.toString());
			need("swapon", "-p", FIRST_OF_ALL, file.toString());
			return swap;
		}
		catch (IllegalStateException ex) {
			swap.close();
			throw ex;
		}
	}

	private static void need(String... command) {
		Outcome outcome = run(command);
		if (outcome.exitCode() != 0) {
			throw new IllegalStateException("%s failed (%s)".formatted(command[0], outcome.output()));
		}
	}

	private static Outcome run(String... command) {
		return new Command(Path.of("."), Map.of(), LIMIT).outcome(List.of(command));
	}

	private void remove() {
		if (Files.exists(this.file)) {
			run("swapoff", this.file.toString());
			try {
				Files.deleteIfExists(this.file);
			}
			catch (IOException ex) {
				System.err.println("cannot remove swap: " + ex);
			}
		}
	}

	/**
	 * Turns it off, and removes it. What is still in it goes back to memory: the
	 * processes had better be gone.
	 */
	@Override
	public void close() {
		remove();
		Runtime.getRuntime().removeShutdownHook(this.atExit);
	}

}
