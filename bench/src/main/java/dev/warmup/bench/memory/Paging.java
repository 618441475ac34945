package dev.warmup.bench.memory;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import dev.warmup.bench.process.Command;
import dev.warmup.bench.stack.Outcome;

/**
 * Pages out the memory of processes where this machine lets us: swap is made for it, and
 * removed on closing. Close it when the processes are gone.
 */
public final class Paging implements AutoCloseable {

	private static final String SKIPPED = "No memory was paged out: %s.";

	private static final Duration LIMIT = Duration.ofMinutes(2);

	private final Path script;

	private final Optional<SwapFile> swap;

	private final String obstacle;

	private Paging(Path script, Optional<SwapFile> swap, String obstacle) {
		this.script = script;
		this.swap = swap;
		this.obstacle = obstacle;
	}

	/**
	 * Finds out whether it can be done here, and makes swap if so.
	 * @param script the path to {@code page-out.py}
	 * @param directory where to put the swap; not on a file system in memory
	 * @return what pages out, or tells why it does not
	 */
	public static Paging prepare(Path script, Path directory) {
		return prepare(Host.here(), script, directory);
	}

	static Paging prepare(Host host, Path script, Path directory) {
		Optional<String> obstacle = host.obstacle();
		if (obstacle.isPresent()) {
			return new Paging(script, Optional.empty(), obstacle.get());
		}
		try {
			return new Paging(script, Optional.of(SwapFile.at(directory.resolve("bench.swap"))), "");
		}
		catch (IllegalStateException ex) {
			return new Paging(script, Optional.empty(), String.valueOf(ex.getMessage()));
		}
	}

	/**
	 * Pages out what can be. Blocks for some seconds, and never fails.
	 * @param pids the processes' ids
	 * @return what readers of the figures should know of it: why it was skipped, or fell
	 * short; empty when it was done
	 */
	public Optional<String> pageOut(Collection<Long> pids) {
		if (this.swap.isEmpty()) {
			return Optional.of(SKIPPED.formatted(this.obstacle));
		}
		Outcome outcome = new Command(Path.of("."), Map.of(), LIMIT)
			.outcome(Stream.concat(Stream.of("python3", this.script.toString()), pids.stream().map(String::valueOf))
				.toList());
		return (outcome.exitCode() != 0) ? Optional.of(SKIPPED.formatted(outcome.output()))
				: PagedOut.of(outcome.output()).shortfall();
	}

	@Override
	public void close() {
		this.swap.ifPresent(SwapFile::close);
	}

}
