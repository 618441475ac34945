package dev.warmup.bench.memory;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.springframework.util.unit.DataSize;

/**
 * What came of paging out, as {@code bench/page-out.py} tells it.
 *
 * @param before what was resident of all processes before
 * @param after what was resident of them after
 * @param cached what the system has still in its swap cache
 */
record PagedOut(DataSize before, DataSize after, DataSize cached) {

	private static final Pattern PROCESS = Pattern.compile("(?m)^\\d+ (\\d+) (\\d+)$");

	private static final Pattern CACHED = Pattern.compile("(?m)^cached (\\d+)$");

	/** As much of the memory may stay. */
	private static final double TOLERATED = 0.25;

	/**
	 * Reads what the script printed.
	 * @param output its lines
	 * @return the sums
	 * @throws IllegalArgumentException when that is something else
	 */
	static PagedOut of(String output) {
		Matcher cached = CACHED.matcher(output);
		Matcher process = PROCESS.matcher(output);
		long before = 0;
		long after = 0;
		while (process.find()) {
			before += Long.parseLong(process.group(1));
			after += Long.parseLong(process.group(2));
		}
		if (before == 0 || !cached.find()) {
			throw new IllegalArgumentException("page-out.py does not tell what it did: " + output);
		}
		return new PagedOut(DataSize.ofKilobytes(before), DataSize.ofKilobytes(after),
				DataSize.ofKilobytes(Long.parseLong(cached.group(1))));
	}

	/**
	 * What is wrong with it.
	 * @return a sentence when more than a quarter was not paged out to the disk
	 */
	Optional<String> shortfall() {
		long left = this.after.toBytes() + this.cached.toBytes();
		return (left > this.before.toBytes() * TOLERATED)
				? Optional
					.of("Much of the memory could not be paged out: of %d MiB, %d MiB stayed, and %d MiB are cached."
						.formatted(this.before.toMegabytes(), this.after.toMegabytes(), this.cached.toMegabytes()))
				: Optional.empty();
	}

}
